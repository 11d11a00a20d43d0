-- People and bots, and the keys they sign in with.

CREATE TABLE user (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    email            TEXT NOT NULL,        -- the real address; compared without case
    full_name        TEXT NOT NULL,
    role             INTEGER NOT NULL,     -- 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest
    is_active        INTEGER NOT NULL DEFAULT 1,
    bot_type         INTEGER,              -- NULL for people
    bot_owner_id     INTEGER REFERENCES user (id),
    date_joined      REAL NOT NULL,
    first_sign_in    REAL,                 -- NULL until somebody signed in
    timezone         TEXT NOT NULL DEFAULT '',
    avatar           TEXT,                 -- upload path of the picture; NULL: drawn by the server
    avatar_version   INTEGER NOT NULL DEFAULT 1,
    is_imported_stub INTEGER NOT NULL DEFAULT 0,
    password         TEXT,                 -- argon2id; NULL: cannot sign in by password
    settings         TEXT NOT NULL DEFAULT '{}' -- JSON: personal settings that differ from the defaults
) STRICT;
CREATE UNIQUE INDEX user_email ON user (lower(email));
CREATE INDEX user_bots ON user (bot_owner_id) WHERE bot_owner_id IS NOT NULL;

CREATE TABLE api_key (
    digest    BLOB PRIMARY KEY,            -- SHA-256 of the key: a stolen file signs nobody in
    user_id   INTEGER NOT NULL REFERENCES user (id),
    label     TEXT NOT NULL,
    created   REAL NOT NULL,
    last_used REAL NOT NULL
) WITHOUT ROWID, STRICT;
CREATE INDEX api_key_user ON api_key (user_id);
