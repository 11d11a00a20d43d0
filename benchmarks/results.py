"""Stores results of benchmarks until `docs/performance.py` makes the page of them. Measures nothing.

keep("client", "j or k: CPU", measured="2.1 ms", goal="≤ 3 ms", beside={"do-nothing app": "0.6 ms"})
"""

import json
import platform
import time
from pathlib import Path
from typing import Final

from benchmarks.machine import fixed_work

FOLDER: Final = Path(__file__).parents[1] / ".cache" / "benchmarks"
"""One file of rows for each table; rows that are not measured again stay."""


def keep(table: str, row: str, *, measured: str, goal: str, beside: dict[str, str]) -> None:
    """Print a row and store it in the page's table, replacing the row of the same name.

    `beside` are the figures of peers in the same run, by the peer's name. How fast the machine is now is stored, too.
    """
    work = f"{fixed_work():.1f} ms"
    print(f"{row:58} {measured:>12}  goal {goal:12} {beside or ''}  fixed work {work}", flush=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{table}.json"
    rows = json.loads(path.read_text()) if path.exists() else {}
    when = time.strftime("%Y-%m-%d")
    machine = f"{platform.machine()}, Python {platform.python_version()}"
    rows[row] = {
        "found": measured,
        "goal": goal,
        "beside": beside,
        "when": when,
        "machine": machine,
        "fixed work": work,
    }
    path.write_text(json.dumps(rows, indent=1))
