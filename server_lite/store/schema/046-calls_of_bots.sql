-- The next call of each outgoing webhook, which is looked for every second: a word may call thousands of them.
CREATE INDEX outgoing_call_bot ON outgoing_call (bot_id, due);
