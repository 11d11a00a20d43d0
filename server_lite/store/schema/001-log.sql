-- The organisation's settings, the event log, and the queues that read it.

CREATE TABLE setting (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL            -- JSON
) WITHOUT ROWID, STRICT;

-- A set of user ids, stored once and never changed: who an event is for, frozen when it happened.
CREATE TABLE audience (
    id      INTEGER PRIMARY KEY,
    digest  BLOB NOT NULL UNIQUE,
    members TEXT NOT NULL          -- JSON array of user ids, ascending
) STRICT;

CREATE TABLE event_log (
    id          INTEGER PRIMARY KEY, -- the last of `width` ids; given by the log's counter, never by SQLite
    width       INTEGER NOT NULL,
    kind        TEXT NOT NULL,
    data        TEXT NOT NULL,       -- JSON: the event's fields
    audience    INTEGER NOT NULL REFERENCES audience (id),
    wide        INTEGER REFERENCES audience (id), -- also told to queues of these with all_public_streams
    personal    TEXT,                -- JSON object: user id -> what only that person is told
    local_queue TEXT,                -- the sender's queue that gets local_id echoed
    local_id    TEXT
) STRICT;

CREATE TABLE queue (
    id           TEXT PRIMARY KEY,
    user_id      INTEGER NOT NULL,
    options      TEXT NOT NULL,      -- JSON
    cursor       INTEGER NOT NULL,   -- acknowledged up to here; written lazily
    idle_timeout INTEGER NOT NULL    -- seconds
) WITHOUT ROWID, STRICT;

-- One row: no event id at or above the ceiling was ever given out.
CREATE TABLE event_counter (ceiling INTEGER NOT NULL) STRICT;
INSERT INTO event_counter (ceiling) VALUES (0);

-- Answers of requests that carried a key, so that a resend changes nothing twice.
CREATE TABLE idempotency (
    user_id INTEGER NOT NULL,
    key     TEXT NOT NULL,
    request BLOB NOT NULL,          -- digest of verb, path and parameters
    answer  TEXT NOT NULL,          -- JSON
    at      REAL NOT NULL,
    PRIMARY KEY (user_id, key)
) WITHOUT ROWID, STRICT;
CREATE INDEX idempotency_at ON idempotency (at);
