"""Typed events: what happened, and how each client is to be told. No I/O, no SQL, no HTTP."""
