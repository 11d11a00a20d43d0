"""Keeps the store in step with the server: register, poll, apply, report. No Textual."""
