"""Makes docs/performance.md of what the benchmarks found last (`benchmarks/results.py`). Measures nothing.

Rows that were measured elsewhere, on another machine or in another checkout, stay as the page has them.
"""

import json
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FOUND = HERE.parent / ".cache" / "benchmarks"
PAGE = HERE / "performance.md"
HEADINGS = {
    "client": "The client, in a real terminal of 140×40",
    "server": "The server",
    "start": "Start and memory",
    "ssh": "Over SSH",
}
"""The tables in their order; others come after them under their own names."""
INTRODUCTION = """# Performance

Made by `make bench` from what `benchmarks/` measured; do not edit. CPU is that of the program's process, all threads.
A busy machine doubles it, so compare with the peer of the same run rather than with the goal alone: *fixed work* is what the same
piece of Python took right after the figure. What a key draws, how
often something is rendered, and that costs do not grow with an organization is counted by tests, which need no clock:
`tests/e2e/test_terminal_costs.py`, `tests/e2e/test_scale.py`, `tests/unit/tui/test_frames.py`; of the server statements, rows, calls, tasks and
timers: `tests/api/test_statements.py`, and what grows with messages, people and channels: `tests/api/test_growth.py`.
"""


TITLE = "| | found | goal | beside it | measured | fixed work |\n|---|---|---|---|---|---|"
_ROW = re.compile(r"^\| ([^|\s].*?) \| .*$", re.MULTILINE)


def line(name: str, row: dict[str, Any]) -> str:
    """A row in Markdown, with the figures of the peers if there are any."""
    beside = "; ".join(f"{peer}: {figure}" for peer, figure in row["beside"].items())
    when = f"{row['when']}, {row['machine']}"
    work = row.get("fixed work", "")
    return f"| {name} | {row['found']} | {row['goal']} | {beside} | {when} | {work} |"


def of_page(text: str) -> dict[str, dict[str, str]]:
    """The rows that a page has: heading -> name -> line."""
    return {
        heading: {match[1]: match[0] for match in _ROW.finditer(rows)}
        for heading, _, rows in (part.partition("\n") for part in text.split("\n## ")[1:])
    }


def page(before: str) -> str:
    """The whole page, with what the one before has and was not measured here."""
    tables = of_page(before)
    for path in sorted(FOUND.glob("*.json")):
        heading = HEADINGS.get(path.stem, path.stem.capitalize())
        measured = {name: line(name, row) for name, row in json.loads(path.read_text()).items()}
        tables[heading] = tables.get(heading, {}) | measured
    order = [heading for heading in HEADINGS.values() if heading in tables]
    order += [heading for heading in tables if heading not in order]
    parts = ["\n".join([f"## {each}\n", TITLE, *tables[each].values()]) + "\n" for each in order]
    return "\n".join([INTRODUCTION, *parts])


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
