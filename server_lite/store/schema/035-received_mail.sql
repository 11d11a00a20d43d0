-- Which emails were posted, so that none is posted again when a mail server delivers it twice.

CREATE TABLE received_mail (
    digest BLOB PRIMARY KEY,                     -- of the channel and the Message-ID
    at     REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX received_mail_at ON received_mail (at);
