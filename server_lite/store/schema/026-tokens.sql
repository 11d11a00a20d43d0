-- JSON web tokens that signed somebody in: each does so once.

CREATE TABLE used_token (
    digest  BLOB PRIMARY KEY,              -- SHA-256 of the token
    expires REAL NOT NULL                  -- afterwards it would be refused anyway
) WITHOUT ROWID, STRICT;
