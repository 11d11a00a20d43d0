-- Seconds for which servers ran on this file: what expires by it is not hurried by a clock that jumps.
ALTER TABLE event_counter ADD COLUMN running REAL NOT NULL DEFAULT 0;
-- `idempotency.at` counts these seconds from now on.
UPDATE idempotency SET at = 0;
