"""The composer's controllers: drafts, completion, attachments, sending now or later."""
