-- Who has an alert word that is in a text.
CREATE INDEX alert_word_key ON alert_word (word_key, user_id);
