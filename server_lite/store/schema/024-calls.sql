-- What people let this server do in their name at the provider of video calls.

CREATE TABLE call_token (
    user_id  INTEGER NOT NULL REFERENCES user (id),
    provider TEXT NOT NULL,
    sealed   BLOB NOT NULL,              -- with the key file; JSON inside
    PRIMARY KEY (user_id, provider)
) WITHOUT ROWID, STRICT;
