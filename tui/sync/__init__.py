"""Keeps the store true to the server: register, poll, apply, report. No Textual."""
