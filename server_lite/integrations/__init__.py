"""Incoming webhooks of other services: parsed, verified, formatted as messages. No I/O, no SQL."""
