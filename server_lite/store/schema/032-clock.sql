-- What the clock said when it was last looked at, at which second of running; and the second of running
-- at which it had jumped ahead: until a day of running later nothing is deleted because of its age.
ALTER TABLE event_counter ADD COLUMN clock REAL;
ALTER TABLE event_counter ADD COLUMN clock_at REAL;
ALTER TABLE event_counter ADD COLUMN doubted_at REAL;
