-- Messages, what each person marked on them, reactions, and the index that search reads.

CREATE TABLE message (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    sender_id       INTEGER NOT NULL REFERENCES user (id),
    channel_id      INTEGER REFERENCES channel (id),       -- NULL for a direct message
    topic_id        INTEGER REFERENCES topic (id),
    conversation_id INTEGER REFERENCES conversation (id),  -- NULL for a channel message
    content         TEXT NOT NULL,
    rendered        TEXT NOT NULL,
    plain           TEXT NOT NULL,          -- the words a reader sees: for search and alert words
    timestamp       REAL NOT NULL,
    client          TEXT NOT NULL,
    has_link        INTEGER NOT NULL,
    has_image       INTEGER NOT NULL,
    has_attachment  INTEGER NOT NULL,
    last_edit       REAL,                   -- of the content
    last_moved      REAL,
    edit_history    TEXT NOT NULL DEFAULT '[]' -- JSON array, newest first
) STRICT;
-- (channel_id) and (topic_id) alone: the id is the rowid, so each is already (x, id) and reads in order.
CREATE INDEX message_channel ON message (channel_id) WHERE channel_id IS NOT NULL;
CREATE INDEX message_topic ON message (topic_id) WHERE topic_id IS NOT NULL;
CREATE INDEX message_conversation ON message (conversation_id) WHERE conversation_id IS NOT NULL;
CREATE INDEX message_sender ON message (sender_id);
-- Few of many, read in order: without these, a page of them walks over all messages there are.
CREATE INDEX message_direct ON message (id) WHERE channel_id IS NULL;
CREATE INDEX message_link ON message (id) WHERE has_link;
CREATE INDEX message_image ON message (id) WHERE has_image;
CREATE INDEX message_attachment ON message (id) WHERE has_attachment;

-- Sparse: a row where something is so, none where it is not. Unread is the only state with many rows.
CREATE TABLE unread (
    user_id    INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    PRIMARY KEY (user_id, message_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX unread_message ON unread (message_id);

CREATE TABLE flag (
    user_id    INTEGER NOT NULL,
    flag       TEXT NOT NULL,               -- starred, mentioned, has_alert_word …
    message_id INTEGER NOT NULL,
    PRIMARY KEY (user_id, flag, message_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX flag_message ON flag (message_id, user_id);

CREATE TABLE reaction (
    id            INTEGER PRIMARY KEY,
    message_id    INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
    user_id       INTEGER NOT NULL REFERENCES user (id),
    reaction_type TEXT NOT NULL,
    emoji_code    TEXT NOT NULL,
    emoji_name    TEXT NOT NULL,
    UNIQUE (message_id, user_id, reaction_type, emoji_code)
) STRICT;

CREATE VIRTUAL TABLE message_text USING fts5 (
    topic, plain, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2"
);
