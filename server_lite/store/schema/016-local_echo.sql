-- Which message a client's own id became, while its queue lives: a resend finds the first one.

CREATE TABLE local_echo (
    queue_id   TEXT NOT NULL REFERENCES queue (id) ON DELETE CASCADE,
    local_id   TEXT NOT NULL,
    message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
    digest     BLOB NOT NULL,               -- of where it was sent to and what it says
    PRIMARY KEY (queue_id, local_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX local_echo_message ON local_echo (message_id);

-- Who listens to all public channels: asked at every message, and nobody most of the time.
CREATE INDEX queue_listens ON queue (user_id) WHERE options ->> 'all_public_streams';
