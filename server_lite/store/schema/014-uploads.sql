-- Uploaded files, in slices in this very file: a copy of it is a copy of everything.

CREATE TABLE upload (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id      INTEGER NOT NULL REFERENCES user (id),
    name         TEXT NOT NULL,
    path_id      TEXT NOT NULL UNIQUE,     -- what follows /user_uploads/
    content_type TEXT NOT NULL,
    size         INTEGER NOT NULL,         -- bytes
    created      REAL NOT NULL,
    is_complete  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX upload_user ON upload (user_id);
CREATE INDEX upload_incomplete ON upload (created) WHERE NOT is_complete;

CREATE TABLE upload_slice (
    id        INTEGER PRIMARY KEY,
    upload_id INTEGER NOT NULL REFERENCES upload (id) ON DELETE CASCADE,
    number    INTEGER NOT NULL,            -- from 0; all but the last have the same length
    data      BLOB NOT NULL,
    UNIQUE (upload_id, number)
) STRICT;

-- Messages that link a file: who may read one of them may read the file.
CREATE TABLE upload_link (
    upload_id  INTEGER NOT NULL REFERENCES upload (id) ON DELETE CASCADE,
    message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
    PRIMARY KEY (upload_id, message_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX upload_link_message ON upload_link (message_id);
