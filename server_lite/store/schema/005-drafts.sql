-- What people have begun to write.

CREATE TABLE draft (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id   INTEGER NOT NULL REFERENCES user (id),
    type      TEXT NOT NULL,                -- '', 'stream', 'private'
    recipient TEXT NOT NULL,                -- JSON: [channel id] or user ids
    topic     TEXT NOT NULL,
    content   TEXT NOT NULL,
    timestamp REAL NOT NULL
) STRICT;
CREATE INDEX draft_user ON draft (user_id);
