-- Pruning the log asks for each audience whether a row still names it: without these it read the whole log.
CREATE INDEX event_log_audience ON event_log (audience);
CREATE INDEX event_log_wide ON event_log (wide) WHERE wide IS NOT NULL;

-- Seconds for which a server ran and nobody polled the queue: restarts do not make it young again.
ALTER TABLE queue ADD COLUMN forgotten REAL NOT NULL DEFAULT 0;
