"""Any construct in any other, at the start, in the middle and at the end of a line: each is still what it is."""

from itertools import product
from typing import Final

import pytest

from server_lite.markup.render import render
from server_lite.markup.text import text_of
from tests.unit.server_lite.markup.organization import Organization
from tests.unit.server_lite.markup.test_laws import read

ORGANIZATION: Final = Organization()

LEAVES: Final = {
    "`inner`": "<code>inner</code>",
    "$$inner$$": 'class="katex"',
    r"$$\inner$$": 'class="tex-error"',
    "@**Ada Lovelace**": 'class="user-mention"',
    "@_**Ada Lovelace**": 'class="user-mention silent"',
    "@*backend*": 'class="user-group-mention"',
    "@**all**": "channel-wildcard-mention",
    "@**topic**": 'class="topic-mention"',
    "#**general**": 'class="stream"',
    "#**general>lunch**": 'class="stream-topic"',
    ":tada:": 'class="emoji"',
    ":smile:": 'class="emoji emoji-',
    "🐙": 'class="emoji emoji-',
    "<time:31 Dec 2017>": "<time datetime=",
    "<time:inner>": 'class="timestamp-error"',
    "#12": 'href="https://bugs.example.com/12"',
    "https://x.io/inner": 'href="https://x.io/inner"',
    "x.io/inner": 'href="http://x.io/inner"',
    "a@x.io": 'href="mailto:a@x.io"',
    "[inner](https://x.io)": ">inner</a>",
}
"""What has no formatting inside, and what it must become."""

SPANS: Final = {"**%s**": "<strong>", "*%s*": "<em>", "~~%s~~": "<del>"}
"""What has: emphasis of each kind."""

BLOCKS: Final = {
    "%s": "<p>",
    "# %s": "<h1>",
    "- %s": "<li>",
    "1. %s": "<ol>",
    "> %s": "<blockquote>",
    "```quote\n%s\n```": "<blockquote>",
    "```spoiler %s\nbody\n```": "spoiler-header",
    "```spoiler head\n%s\n```": "spoiler-content",
    "| a |\n|---|\n| %s |": "<td>",
    "| %s |\n|---|\n| a |": "<th>",
}
NESTS: Final = ("- %s", "1. %s", "> %s", "```quote\n%s\n```", "````spoiler head\n%s\n````")
PLACES: Final = ("%s", "%s end", "start %s", "start %s end")


def _expected(leaf: str, around: str) -> str:
    """Mentions inside quotes are silent."""
    is_mention = "mention" in LEAVES[leaf] and "silent" not in LEAVES[leaf]
    return "mention" if is_mention and ("quote" in around or ">" in around) else LEAVES[leaf]


def _check(source: str, *wanted: str) -> None:
    html = render(source, ORGANIZATION).html
    read(html)
    assert all(mark in html for mark in wanted), (source, wanted, html)
    shown = text_of(html)
    assert all(word in shown for word in ("start", "end", "inner", "body") if word in source), (
        source
    )


@pytest.mark.parametrize("block", BLOCKS)
def test_what_stands_in_a_line_stands_in_every_block(block: str) -> None:
    """Code, formulas, mentions, places, emoji, times and links work wherever words do."""
    for leaf, place in product(LEAVES, PLACES):
        _check(block % (place % leaf), BLOCKS[block], _expected(leaf, block))


@pytest.mark.parametrize("span", SPANS)
def test_what_stands_in_a_line_stands_in_emphasis(span: str) -> None:
    """So it does in bold, italic and struck out words; but mentions and linkifiers need a space before them."""
    for leaf, place in product(LEAVES, PLACES):
        if leaf.startswith(("@", "#1")) and place.startswith("%"):
            continue
        _check(f"a {span % (place % leaf)} b", SPANS[span], LEAVES[leaf])


def test_emphasis_stands_in_emphasis_and_in_every_block() -> None:
    """Bold, italic and struck out words combine, and stand wherever words do."""
    for block, outer, inner in product(BLOCKS, SPANS, SPANS):
        if outer != inner:
            words = outer % f"start {inner % 'inner'} end"
            _check(block % words, BLOCKS[block], SPANS[outer], SPANS[inner])


def test_blocks_stand_in_lists_quotes_and_spoilers() -> None:
    """Every block that may have more than one line keeps its form inside every container."""
    marks = {"- %s": "<ul>", "1. %s": "<ol>"} | BLOCKS | {"```py\n%s\n```": "codehilite"}
    marks |= {"---\n%s": "<hr>", "```math\n%s\n```": "katex-display"}
    for outer, inner in product(NESTS, marks):
        lines = (inner % "inner").split("\n")
        if "```" in outer and "```" in inner:
            lines = [line.replace("```", "~~~") for line in lines]
        indent = {"-": "  ", "1": "  ", ">": "> "}.get(outer[0], "")
        source = outer % ("start\n\n" + "\n".join(lines))
        if indent:
            first, *rest = source.split("\n")
            source = "\n".join([first, *(indent + line for line in rest)])
        _check(source, marks[inner])
