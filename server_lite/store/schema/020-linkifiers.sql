-- Patterns in messages that become links.

CREATE TABLE linkifier (
    id                        INTEGER PRIMARY KEY AUTOINCREMENT,
    pattern                   TEXT NOT NULL UNIQUE,      -- RE2, with named groups
    url_template              TEXT NOT NULL,             -- RFC 6570
    example_input             TEXT,                      -- a text that the pattern matches
    reverse_template          TEXT,                      -- makes that text again from the URL's variables
    alternative_url_templates TEXT NOT NULL DEFAULT '[]',-- JSON: further templates that reverse_template undoes
    position                  INTEGER NOT NULL           -- tried in this order
) STRICT;
