-- Texts that people keep to use again, and the views they put into their sidebar.

CREATE TABLE saved_snippet (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id      INTEGER NOT NULL REFERENCES user (id),
    title        TEXT NOT NULL,
    content      TEXT NOT NULL,
    date_created REAL NOT NULL
) STRICT;
CREATE INDEX saved_snippet_user ON saved_snippet (user_id);

CREATE TABLE navigation_view (
    user_id   INTEGER NOT NULL REFERENCES user (id),
    fragment  TEXT NOT NULL,
    is_pinned INTEGER NOT NULL,
    name      TEXT,                        -- NULL for built-in views
    PRIMARY KEY (user_id, fragment)
) WITHOUT ROWID, STRICT;
