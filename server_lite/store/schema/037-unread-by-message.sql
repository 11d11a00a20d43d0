-- Unread messages by message, so that the rows of a new message lie together, and by user in a table of their own.
DROP INDEX unread_message;
ALTER TABLE unread RENAME TO unread_by_user;
CREATE TABLE unread (
    message_id INTEGER NOT NULL,
    user_id    INTEGER NOT NULL,
    PRIMARY KEY (message_id, user_id)
) WITHOUT ROWID, STRICT;
INSERT INTO unread (message_id, user_id) SELECT message_id, user_id FROM unread_by_user ORDER BY 1, 2;
-- One row: `unread_by_user` has the rows of messages up to `indexed`, and up to `goal` for users below `next_user`.
CREATE TABLE unread_index_progress (
    indexed   INTEGER NOT NULL,
    goal      INTEGER NOT NULL,
    next_user INTEGER NOT NULL      -- 0: no pass is under way
) STRICT;
INSERT INTO unread_index_progress SELECT newest, newest, 0 FROM (SELECT ifnull(max(id), 0) AS newest FROM message);
