"""Whether a path that somebody else wrote stays inside its folder. No I/O."""

LONGEST = 500
"""Characters of a path; each of its parts may have 255 bytes, as file systems want it."""


def is_inside(path: str) -> bool:
    """Whether it is a relative path with `/` that leads to a file in the folder, on every system."""
    parts = path.split("/")
    return (
        len(path) <= LONGEST
        and path.isprintable()
        and "\\" not in path
        and all(
            part not in ("", ".", "..") and len(part.encode("utf-8", "replace")) <= 255
            for part in parts
        )
        and ":" not in parts[0]
    )
