"""Background work of the server: scheduled messages, outgoing webhooks. Runs beside the requests."""
