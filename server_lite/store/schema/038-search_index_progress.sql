-- The ID of the last message that was added to the search index: new messages are added many at a time.
CREATE TABLE search_index_progress (indexed INTEGER NOT NULL) STRICT;
INSERT INTO search_index_progress SELECT coalesce(max(id), 0) FROM message;
