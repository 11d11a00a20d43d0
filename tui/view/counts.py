"""Counts with their nouns. No Textual widgets."""


def counted(count: int, one: str, many: str) -> str:
    """Return the number and the noun in the form that it takes: `1 message`, `3 messages`."""
    return f"{count} {one if count == 1 else many}"
