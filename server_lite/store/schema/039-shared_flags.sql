-- Flags that a message gives to many users, by message, until they are moved to `flag`, where each user's lie apart.
CREATE TABLE shared_flag (
    id         INTEGER PRIMARY KEY,
    message_id INTEGER NOT NULL,
    flag       TEXT NOT NULL,
    UNIQUE (message_id, flag)
) STRICT;
CREATE TABLE shared_flag_user (
    shared_flag_id INTEGER NOT NULL,
    user_id        INTEGER NOT NULL,
    PRIMARY KEY (shared_flag_id, user_id)
) WITHOUT ROWID, STRICT;
