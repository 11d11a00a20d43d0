"""Says how many of something there are. No Textual widgets."""


def counted(count: int, one: str, many: str) -> str:
    """`1 message`, `3 messages`: the number, and the noun in the form that it takes."""
    return f"{count} {one if count == 1 else many}"
