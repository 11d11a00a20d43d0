-- What is to be sent later: messages, and reminders of messages, which are sent to oneself.

CREATE TABLE scheduled_message (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id        INTEGER NOT NULL REFERENCES user (id),
    channel_id     INTEGER REFERENCES channel (id),       -- NULL for a direct message
    people         TEXT NOT NULL,                         -- JSON: ids, the sender not among them
    topic          TEXT NOT NULL,
    content        TEXT NOT NULL,
    rendered       TEXT NOT NULL,
    due            INTEGER NOT NULL,                      -- UNIX seconds
    read_by_sender INTEGER,
    client         TEXT NOT NULL,
    failed         INTEGER NOT NULL DEFAULT 0,
    target_id      INTEGER                                -- a reminder: the message it is of, or was
) STRICT;
CREATE INDEX scheduled_message_user ON scheduled_message (user_id);
CREATE INDEX scheduled_message_due ON scheduled_message (due) WHERE NOT failed;
