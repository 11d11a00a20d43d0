"""Accounts beside each other: signing in, going from one to another. Knows no messages."""
