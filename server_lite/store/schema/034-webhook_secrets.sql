-- What a service signs its webhooks with, encrypted with the key file.

ALTER TABLE bot ADD COLUMN webhook_secret BLOB;
