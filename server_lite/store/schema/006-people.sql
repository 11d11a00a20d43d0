-- Groups of people, who is here, what people say of themselves and chose for themselves.

-- Ids below 100 are for the groups that every organisation has; their members follow from roles.
CREATE TABLE user_group (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    name         TEXT NOT NULL,
    description  TEXT NOT NULL DEFAULT '',
    is_system    INTEGER NOT NULL DEFAULT 0,
    deactivated  INTEGER NOT NULL DEFAULT 0,
    creator_id   INTEGER REFERENCES user (id),
    date_created REAL,
    settings     TEXT NOT NULL DEFAULT '{}'     -- JSON: setting name -> group-setting value
) STRICT;
CREATE UNIQUE INDEX user_group_name ON user_group (lower(name));

INSERT INTO user_group (id, name, description, is_system) VALUES
    (1, 'role:owners', 'Owners of this organization', 1),
    (2, 'role:administrators', 'Administrators of this organization, including owners', 1),
    (3, 'role:moderators', 'Moderators of this organization, including administrators', 1),
    (4, 'role:fullmembers', 'Members of this organization, not including new accounts and guests', 1),
    (5, 'role:members', 'Members of this organization, not including guests', 1),
    (6, 'role:everyone', 'Everyone in this organization, including guests', 1),
    (7, 'role:internet', 'Everyone on the Internet', 1),
    (8, 'role:nobody', 'Nobody', 1);
UPDATE sqlite_sequence SET seq = 99 WHERE name = 'user_group';

CREATE TABLE user_group_member (
    group_id INTEGER NOT NULL REFERENCES user_group (id),
    user_id  INTEGER NOT NULL REFERENCES user (id),
    PRIMARY KEY (group_id, user_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX user_group_member_user ON user_group_member (user_id);

CREATE TABLE user_group_subgroup (
    group_id    INTEGER NOT NULL REFERENCES user_group (id),
    subgroup_id INTEGER NOT NULL REFERENCES user_group (id),
    PRIMARY KEY (group_id, subgroup_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX user_group_subgroup_subgroup ON user_group_subgroup (subgroup_id);

-- Sends what the server itself has to say: it belongs to nobody and cannot sign in.
INSERT INTO user (id, email, full_name, role, bot_type, date_joined)
    VALUES (1, 'notification-bot@chinwag.local', 'Notification Bot', 400, 1, unixepoch());

CREATE TABLE presence (
    user_id        INTEGER PRIMARY KEY REFERENCES user (id),
    last_active    REAL,                        -- used the keyboard; NULL: not since presence was switched on
    last_connected REAL NOT NULL,               -- a client was open
    update_id      INTEGER NOT NULL UNIQUE      -- rises with every change, so that clients fetch what is new
) STRICT;

CREATE TABLE user_status (
    user_id       INTEGER PRIMARY KEY REFERENCES user (id),
    status_text   TEXT NOT NULL,
    emoji_name    TEXT NOT NULL,
    emoji_code    TEXT NOT NULL,
    reaction_type TEXT NOT NULL
) STRICT;

CREATE TABLE muted_user (
    user_id  INTEGER NOT NULL REFERENCES user (id),
    muted_id INTEGER NOT NULL REFERENCES user (id),
    at       REAL NOT NULL,
    PRIMARY KEY (user_id, muted_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX muted_user_muted ON muted_user (muted_id);

CREATE TABLE alert_word (
    user_id  INTEGER NOT NULL REFERENCES user (id),
    word     TEXT NOT NULL,
    word_key TEXT NOT NULL,                     -- casefolded
    PRIMARY KEY (user_id, word_key)
) WITHOUT ROWID, STRICT;

CREATE TABLE device (
    id                                INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id                           INTEGER NOT NULL REFERENCES user (id),
    push_key_id                       INTEGER,
    push_token_id                     TEXT,
    pending_push_token_id             TEXT,
    push_token_last_updated_timestamp INTEGER,
    push_registration_error_code      TEXT
) STRICT;
CREATE INDEX device_user ON device (user_id);

-- Registrations of old mobile clients; nothing is pushed to them.
CREATE TABLE push_token (
    user_id INTEGER NOT NULL REFERENCES user (id),
    kind    TEXT NOT NULL,                      -- 'android' or 'apple'
    token   TEXT NOT NULL,
    at      REAL NOT NULL,
    PRIMARY KEY (user_id, kind, token)
) WITHOUT ROWID, STRICT;

-- Refused sign-ins, so that the limit on guessing holds across a restart.
CREATE TABLE failed_sign_in (
    address TEXT NOT NULL,
    name    TEXT NOT NULL,                      -- casefolded, as given
    at      REAL NOT NULL
) STRICT;
CREATE INDEX failed_sign_in_at ON failed_sign_in (at);

-- What never changes about an organisation, from the moment its file was made.
INSERT INTO setting (name, value) VALUES
    ('date_created', unixepoch()),
    ('uuid', (
        SELECT json_quote(substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-4' || substr(h, 14, 3)
            || '-a' || substr(h, 18, 3) || '-' || substr(h, 21, 12))
        FROM (SELECT lower(hex(randomblob(16))) AS h)
    ));
