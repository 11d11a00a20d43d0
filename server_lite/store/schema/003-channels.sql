-- Channels, who is in them, their topics, and the sets of people that write to each other directly.

CREATE TABLE channel (
    id                            INTEGER PRIMARY KEY AUTOINCREMENT,
    name                          TEXT NOT NULL,
    name_key                      TEXT NOT NULL UNIQUE,  -- casefolded: names compare without case
    description                   TEXT NOT NULL DEFAULT '',
    rendered_description          TEXT NOT NULL DEFAULT '',
    date_created                  REAL NOT NULL,
    creator_id                    INTEGER REFERENCES user (id),
    invite_only                   INTEGER NOT NULL DEFAULT 0,
    is_web_public                 INTEGER NOT NULL DEFAULT 0,
    history_public_to_subscribers INTEGER NOT NULL DEFAULT 1,
    is_archived                   INTEGER NOT NULL DEFAULT 0,
    is_default                    INTEGER NOT NULL DEFAULT 0, -- new people are subscribed
    message_retention_days        INTEGER,   -- NULL inherits, -1 keeps for ever
    topics_policy                 TEXT NOT NULL DEFAULT 'inherit',
    folder_id                     INTEGER,
    first_message_id              INTEGER,
    group_settings                TEXT NOT NULL DEFAULT '{}' -- JSON: setting name -> group-setting value
) STRICT;

CREATE TABLE subscription (
    user_id    INTEGER NOT NULL REFERENCES user (id),
    channel_id INTEGER NOT NULL REFERENCES channel (id),
    active     INTEGER NOT NULL DEFAULT 1,   -- 0: was a subscriber once; the personal settings are kept
    color      TEXT NOT NULL,
    is_muted   INTEGER NOT NULL DEFAULT 0,
    pin_to_top INTEGER NOT NULL DEFAULT 0,
    desktop_notifications    INTEGER,        -- NULL inherits the person's default, in all five
    audible_notifications    INTEGER,
    push_notifications       INTEGER,
    email_notifications      INTEGER,
    wildcard_mentions_notify INTEGER,
    PRIMARY KEY (user_id, channel_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX subscription_channel ON subscription (channel_id, active, user_id);

-- When somebody was subscribed, in message ids: what they received, and what a protected history shows them.
CREATE TABLE membership (
    user_id    INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    after_id   INTEGER NOT NULL,             -- messages with a greater id …
    until_id   INTEGER,                      -- … up to this one; NULL while subscribed
    PRIMARY KEY (user_id, channel_id, after_id)
) WITHOUT ROWID, STRICT;

CREATE TABLE topic (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    channel_id INTEGER NOT NULL REFERENCES channel (id),
    name       TEXT NOT NULL,                -- '' is the empty topic
    name_key   TEXT NOT NULL,                -- casefolded
    max_id     INTEGER NOT NULL,             -- newest message; 0 when none is left
    UNIQUE (channel_id, name_key)
) STRICT;

CREATE TABLE user_topic (
    user_id           INTEGER NOT NULL,
    channel_id        INTEGER NOT NULL,
    name_key          TEXT NOT NULL,
    name              TEXT NOT NULL,
    visibility_policy INTEGER NOT NULL,      -- 1 muted, 2 unmuted, 3 followed
    last_updated      REAL NOT NULL,
    PRIMARY KEY (user_id, channel_id, name_key)
) WITHOUT ROWID, STRICT;
CREATE INDEX user_topic_topic ON user_topic (channel_id, name_key);

-- A direct conversation: all its participants, the sender included, ascending.
CREATE TABLE conversation (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    members TEXT NOT NULL UNIQUE,            -- "3,7,12"
    max_id  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE conversation_member (
    user_id         INTEGER NOT NULL REFERENCES user (id),
    conversation_id INTEGER NOT NULL REFERENCES conversation (id),
    PRIMARY KEY (user_id, conversation_id)
) WITHOUT ROWID, STRICT;
