"""Reads the commands that a document tells its readers to type, from top to bottom. Runs nothing."""

import re
from collections.abc import Iterator
from typing import Final

from tests.shape.sources import ROOT

PAGES: Final = tuple(
    path.relative_to(ROOT).as_posix()
    for path in (
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
        *sorted((ROOT / "docs").glob("*.md")),
        *sorted((ROOT / "docs" / "guide").glob("*.md")),
    )
    if path.name != "map.md"
)
"""What tells people what to type. The changelog and the decisions name commands only."""
PROGRAMS: Final = (
    *("chinwag", "chinwag-server", "make", "pip", "pipx", "uv", "podman", "systemctl", "ssh"),
    *("ssh-keygen", "git", "python", ".venv/bin/pytest"),
)
_NAME: Final = re.compile(r"(?:chinwag|chinwag-server|make|\S+)(?: [a-z][a-z-]*)*")
_USAGE: Final = re.compile(r"… --|(?:chinwag|chinwag-server|user|channel|bot|invite|mail) ")
"""Beginnings of usages in the first column of a table; some leave out the program."""
_BLOCK: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_OPTIONAL: Final = re.compile(r" \[([^][]+)\]")


def commands(page: str) -> list[str]:
    """Return each different command of a page, in order; `usages` expands it.

    Commands are the lines of blocks marked `sh`, what units and other programs are told to start, and code in
    sentences and tables, unless it only names a command (`chinwag send`): `tests/shape` parses those.
    """
    text = (ROOT / page).read_text("utf-8")
    found = [
        command
        for line in _lines(text)
        for command in (_of_block(line) if line.startswith("\t") else _of_prose(line))
    ]
    return list(dict.fromkeys(found))


def unmarked_blocks(page: str) -> list[str]:
    """Return the first lines of blocks of code that do not say whether they are commands."""
    text = (ROOT / page).read_text("utf-8")
    return [body.split("\n", 1)[0] for mark, body in _BLOCK.findall(text) if not mark]


def usages(command: str) -> list[str]:
    """Return a command as it is typed: without its optional parts, and with each of them."""
    plain = _OPTIONAL.sub("", command)
    typed = [plain]
    for match in _OPTIONAL.finditer(command):
        before, after = (
            _OPTIONAL.sub("", part) for part in (command[: match.start()], command[match.end() :])
        )
        typed.append(f"{before} {match[1].removesuffix(' …')}{after}")
    return typed


def _lines(text: str) -> Iterator[str]:
    """Lines outside of blocks; those of blocks of commands and of units begin with a tab."""
    end = 0
    for block in _BLOCK.finditer(text):
        yield from text[end : block.start()].splitlines()
        end = block.end()
        for line in re.sub(r" *\\\n *", " ", block[2]).splitlines():
            if block[1] == "sh" and line:
                yield f"\t{line}"
            elif started := re.search(r"(?:^ExecStart|\bargv)=(.*)", line):
                yield f"\t{started[1]}"
    yield from text[end:].splitlines()


def _of_block(line: str) -> Iterator[str]:
    yield re.sub(r"\s+# .*", "", line.strip())


def _of_prose(line: str) -> Iterator[str]:
    cells = line.split("|")[1:-1] if line.startswith("|") else [line]
    for column, cell in enumerate(cells):
        is_first = column == 0 and len(cells) > 1
        for code in re.findall(r"`([^`]+)`", cell):
            program, _, words = code.partition(" ")
            is_typed = program in PROGRAMS and words and not _NAME.fullmatch(code)
            if is_typed or (is_first and words and _USAGE.match(code)):
                yield code
