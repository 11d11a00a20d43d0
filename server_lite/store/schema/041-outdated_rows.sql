-- Messages and flags some of whose rows by user no longer count; maintenance deletes these, some users at a time.
CREATE TABLE outdated_unread (
    message_id INTEGER PRIMARY KEY,
    next_user  INTEGER NOT NULL      -- rows of users below it are deleted
) STRICT;
CREATE TABLE outdated_flag (
    message_id INTEGER NOT NULL,
    flag       TEXT NOT NULL,
    PRIMARY KEY (message_id, flag)
) WITHOUT ROWID, STRICT;
