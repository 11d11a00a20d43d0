"""Exports and imports an organization as JSON lines. Prints nothing; `cli/transfers.py` does."""
