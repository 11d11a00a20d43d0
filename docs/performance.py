"""Makes docs/performance.md of what the benchmarks found last (`benchmarks/results.py`). Measures nothing."""

import json
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
A busy machine doubles it, so compare with the peer of the same run rather than with the goal alone. What a key draws, how
often something is rendered, and that costs do not grow with an organization is counted by tests, which need no clock:
`tests/e2e/test_terminal_costs.py`, `tests/e2e/test_scale.py`, `tests/unit/tui/test_frames.py`; of the server statements, rows, calls, tasks and
timers: `tests/unit/server_lite/test_statements.py`.
"""


def table(rows: dict[str, dict[str, Any]]) -> str:
    """A table in Markdown, with a column for the peers if there are any."""
    lines = ["| | found | goal | beside it | measured |", "|---|---|---|---|---|"]
    for name, row in rows.items():
        beside = "; ".join(f"{peer}: {figure}" for peer, figure in row["beside"].items())
        when = f"{row['when']}, {row['machine']}"
        lines.append(f"| {name} | {row['found']} | {row['goal']} | {beside} | {when} |")
    return "\n".join(lines)


def page() -> str:
    """The whole page."""
    tables = {path.stem: json.loads(path.read_text()) for path in sorted(FOUND.glob("*.json"))}
    order = [name for name in HEADINGS if name in tables]
    order += [name for name in tables if name not in HEADINGS]
    parts = [
        f"## {HEADINGS.get(name, name.capitalize())}\n\n{table(tables[name])}\n" for name in order
    ]
    return "\n".join([INTRODUCTION, *parts])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
