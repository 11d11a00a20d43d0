-- Channels that a moved message was in before: who received it there, as `membership` tells, keeps it in their history.
CREATE TABLE earlier_channel (
    message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
    channel_id INTEGER NOT NULL REFERENCES channel (id),
    PRIMARY KEY (message_id, channel_id)
) WITHOUT ROWID, STRICT;
