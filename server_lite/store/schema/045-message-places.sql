-- Where each message is that `unread_by_user` lists: a user's thousands of unread messages lie on as many pages of `message`.
CREATE TABLE message_place (
    message_id INTEGER PRIMARY KEY REFERENCES message (id) ON DELETE CASCADE,
    place      INTEGER NOT NULL     -- topic_id, or -conversation_id
) STRICT;
INSERT INTO message_place (message_id, place)
    SELECT id, coalesce(topic_id, -conversation_id) FROM message
    WHERE id <= (SELECT goal FROM unread_index_progress) ORDER BY id;
