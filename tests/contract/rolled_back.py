"""Examples on one database, each rolled back at its end."""


class Undone(Exception):
    """Roll an example back."""
