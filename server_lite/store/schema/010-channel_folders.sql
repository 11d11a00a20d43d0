-- Folders that group channels in everybody's list.

CREATE TABLE channel_folder (
    id                   INTEGER PRIMARY KEY AUTOINCREMENT,
    name                 TEXT NOT NULL,
    description          TEXT NOT NULL,
    rendered_description TEXT NOT NULL,
    date_created         REAL NOT NULL,
    creator_id           INTEGER REFERENCES user (id),
    position             INTEGER NOT NULL,   -- "order" of the API
    is_archived          INTEGER NOT NULL DEFAULT 0
) STRICT;
