-- Invitations: links by which somebody without an account makes one.

CREATE TABLE invite (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    is_multiuse      INTEGER NOT NULL,
    digest           BLOB NOT NULL UNIQUE,   -- SHA-256 of the link's token: a stolen file lets nobody in
    salt             BLOB NOT NULL,          -- with the key file, makes the token again
    email            TEXT,                   -- for whom, if it is for one person
    inviter_id       INTEGER NOT NULL REFERENCES user (id),
    created          REAL NOT NULL,
    expires          REAL,                   -- NULL: never
    role             INTEGER NOT NULL,
    channel_ids      TEXT NOT NULL,          -- JSON
    group_ids        TEXT NOT NULL,          -- JSON
    include_defaults INTEGER NOT NULL,
    notify_inviter   INTEGER NOT NULL,
    welcome_text     TEXT,
    revoked          REAL,
    used             REAL                    -- for one person: when they came
) STRICT;
CREATE INDEX invite_inviter ON invite (inviter_id);
