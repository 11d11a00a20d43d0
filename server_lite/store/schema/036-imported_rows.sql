-- What earlier imports made of the rows of an export: a later export of the same organization adds only what is new.

CREATE TABLE imported_row (
    kind   TEXT NOT NULL,      -- person, group, folder, channel, emoji, file
    origin TEXT NOT NULL,      -- what the export calls it
    id     INTEGER NOT NULL,   -- its number here
    PRIMARY KEY (kind, origin)
) WITHOUT ROWID;
