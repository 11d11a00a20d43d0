"""What the server does without being asked: scheduled messages, outgoing webhooks. Runs beside the requests."""
