-- Who is active and has which role, read after each change of a user; and the queues of users whose queues end.
CREATE INDEX user_state ON user (is_active, role, bot_type);
CREATE INDEX queue_user ON queue (user_id);
