-- Who is in a conversation, to find all with whom a user has one.
CREATE INDEX conversation_member_conversation ON conversation_member (conversation_id, user_id);
