-- What bots have beside an account, and what they remember.

CREATE TABLE bot (
    user_id                     INTEGER PRIMARY KEY REFERENCES user (id),
    key_salt                    BLOB,            -- with the key file, makes the API key again
    sending_channel_id          INTEGER REFERENCES channel (id),
    events_channel_id           INTEGER REFERENCES channel (id),
    all_public_streams          INTEGER NOT NULL DEFAULT 0,
    payload_url                 TEXT,            -- outgoing webhooks: where messages are sent
    interface                   INTEGER NOT NULL DEFAULT 1, -- their form: 1 generic, 2 Slack's
    service_name                TEXT,
    config_data                 TEXT NOT NULL DEFAULT '{}'  -- JSON: name -> text
) STRICT;

-- `size` stands before `value`, so that adding up sizes reads no long values.
CREATE TABLE bot_storage (
    user_id INTEGER NOT NULL REFERENCES user (id),
    key     TEXT NOT NULL,
    size    INTEGER NOT NULL,                    -- characters of key and value
    value   TEXT NOT NULL,
    PRIMARY KEY (user_id, key)
) STRICT;
