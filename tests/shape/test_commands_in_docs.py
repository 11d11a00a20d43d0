"""Every command that a document names exists, with its options. `tests/guides` types the others."""

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from server_lite.cli import arguments as server
from tests.guides.elsewhere import ELSEWHERE
from tests.guides.pages import PAGES as TYPED_PAGES
from tests.guides.pages import commands as typed_commands
from tests.shape.sources import ROOT
from tui.cli import arguments as client

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")),
    *sorted(path for path in (ROOT / "docs").rglob("*.md") if path.name != "map.md"),
]
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
PARSERS = {"chinwag": cache(client.parser), "chinwag-server": cache(server.parser)}
NOT_RUN = {"--help", "--version"}
"""These print and exit; each parser has them."""
STANDS_FOR = {
    "ID": "7",
    "N": "7",
    "VERB": "GET",
    "[NAME=VALUE": "a=1",
    "SERVER": "http://127.0.0.1",
    "COMMAND": "send",
}
"""Words of a usage line, and what is typed for them."""


def written(page: str) -> Iterator[str]:
    """The commands in blocks of code, with lines that continue joined, and in `code` of a sentence."""
    for block in re.findall(r"```\w*\n(.*?)```", page, re.DOTALL):
        yield from block.replace("\\\n", " ").splitlines()
    yield from re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", page, flags=re.DOTALL))


def commands(line: str) -> Iterator[list[str]]:
    """The words of each of our commands in a line of shell: in a pipe, `$(…)`, after `&&`."""
    if not re.search(r"\b(?:chinwag|chinwag-server|make) ", line):
        return
    line = re.sub(r"\$\((?!chinwag)[^)]*\)", "x", re.sub(r"\s#\s.*", "", line))
    for part in re.split(r"\||&&|\$\(|\)\"|>(?= ?~)", re.sub(r"'[^']*'", _quoted, line)):
        if part.split()[:1] and part.split()[0] in {*PARSERS, "make"}:
            yield [word for word in shlex.split(part) if word != "…"]


def _quoted(match: re.Match[str]) -> str:
    return re.sub(r"[|&>$()]", "_", match[0])


def complaint(words: list[str]) -> str:
    """What is wrong with a command; "" if nothing."""
    program, *rest = words
    if program == "make":
        return "" if set(rest) <= TARGETS else "no such target"
    rest = [STANDS_FOR.get(word.strip("[]"), word.strip("[]")) for word in rest]
    rest = [word for word in rest if word not in NOT_RUN]
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        try:
            PARSERS[program]().parse_args(rest)
        except SystemExit:
            text = said.getvalue()
            is_mention = "required" in text and len(rest) <= 2
            return "" if is_mention else text.splitlines()[-1]
    return ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_are_taken(page: Path) -> None:
    """A person who copies a line from a page gets no usage error."""
    name = page.relative_to(ROOT).as_posix()
    typed = set(typed_commands(name)) - set(ELSEWHERE) if name in TYPED_PAGES else set()
    wrong = [
        f"{shlex.join(words)}: {problem}"
        for line in written(page.read_text("utf-8"))
        if line not in typed
        for words in commands(line)
        if (problem := complaint(words))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "line", ["make sites", "chinwag tial -f", "chinwag-server serve --prot 1", "a | chinwag -x"]
)
def test_a_misspelled_command_is_seen(line: str) -> None:
    """The test above would notice."""
    (words,) = commands(line)
    assert complaint(words)
