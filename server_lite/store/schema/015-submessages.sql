-- Polls and to-do lists: what was added to a message, in order. The first one says what it is.

CREATE TABLE submessage (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
    sender_id  INTEGER NOT NULL REFERENCES user (id),
    msg_type   TEXT NOT NULL,
    content    TEXT NOT NULL                -- JSON
) STRICT;
CREATE INDEX submessage_message ON submessage (message_id);
