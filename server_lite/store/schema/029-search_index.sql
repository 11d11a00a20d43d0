-- The search index is merged in small steps by the server, not in large ones while somebody sends.
INSERT INTO message_text (message_text, rank) VALUES ('automerge', 0);
