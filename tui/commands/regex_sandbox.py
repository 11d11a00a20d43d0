"""Tries a pattern on a text: a program of its own, so that no pattern can hold up who asks.

Reads {"pattern", "text"} as JSON, writes {"matched", "groups"} or {"error"}. Standard library only,
because it is started without anything else; it may use a second of time and little memory.
"""

import json
import re
import sys

SECONDS = 1
BYTES = 512 * 2**20
_GROUP = re.compile(r"\(\?<(?=[A-Za-z_])")


def main() -> None:
    """Answer one question."""
    _limit()
    asked = json.load(sys.stdin)
    json.dump(tried(asked["pattern"], asked["text"]), sys.stdout)


def tried(pattern: str, text: str) -> dict[str, object]:
    """What matched: all of the text if the pattern can, else the first part."""
    try:
        # Servers take both ways to name a group, Python one.
        compiled = re.compile(_GROUP.sub("(?P<", pattern))
        match = compiled.fullmatch(text) or compiled.search(text)
    except (re.error, RecursionError, OverflowError, MemoryError) as error:
        return {"error": str(error)}
    return {
        "matched": None if match is None else match[0],
        "groups": dict.fromkeys(compiled.groupindex) if match is None else match.groupdict(),
    }


def _limit() -> None:
    try:
        import resource
    except ImportError:  # not on Windows: there the time-out of who asks is the only limit
        return
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


if __name__ == "__main__":
    main()
