"""Files on disk: drafts and the outbox, and the last state for an instant start."""
