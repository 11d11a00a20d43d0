-- The search index anew, by stems of words. It is filled by the server while it serves, newest first.
DROP TABLE message_text;
CREATE VIRTUAL TABLE message_text USING fts5 (
    topic, plain, content = '', contentless_delete = 1,
    tokenize = "porter unicode61 remove_diacritics 2"
);
INSERT INTO message_text (message_text, rank) VALUES ('automerge', 0);
-- A row while there are messages below this id that the index does not have.
CREATE TABLE search_backlog (below INTEGER NOT NULL) STRICT;
INSERT INTO search_backlog SELECT id + 1 FROM message ORDER BY id DESC LIMIT 1;
