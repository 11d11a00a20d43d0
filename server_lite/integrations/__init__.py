"""What other services post here, by incoming webhooks: read, checked, made messages. No I/O, no SQL."""
