-- Messages of which the programs behind outgoing webhooks are still to be told.

CREATE TABLE outgoing_call (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    bot_id     INTEGER NOT NULL REFERENCES user (id),
    message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
    trigger    TEXT NOT NULL,              -- 'mention' or 'direct_message'
    attempts   INTEGER NOT NULL DEFAULT 0, -- begun
    due        REAL NOT NULL               -- when to try again
) STRICT;
CREATE INDEX outgoing_call_due ON outgoing_call (due);
CREATE INDEX outgoing_call_message ON outgoing_call (message_id);
