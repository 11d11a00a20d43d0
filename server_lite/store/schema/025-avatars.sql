-- Pictures of people and bots, in slices as uploads are; and what is known of uploaded images.

CREATE TABLE avatar (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    path         TEXT NOT NULL UNIQUE,     -- what follows /user_avatars/; nobody can guess it
    content_type TEXT NOT NULL,
    size         INTEGER NOT NULL,         -- bytes
    created      REAL NOT NULL,
    is_complete  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX avatar_incomplete ON avatar (created) WHERE NOT is_complete;

CREATE TABLE avatar_slice (
    id        INTEGER PRIMARY KEY,
    avatar_id INTEGER NOT NULL REFERENCES avatar (id) ON DELETE CASCADE,
    number    INTEGER NOT NULL,            -- from 0; all but the last have the same length
    data      BLOB NOT NULL,
    UNIQUE (avatar_id, number)
) STRICT;

ALTER TABLE upload ADD COLUMN width INTEGER;   -- pixels; NULL: no image, or its header says nothing
ALTER TABLE upload ADD COLUMN height INTEGER;
