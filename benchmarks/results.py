"""What benchmarks found, kept until `docs/performance.py` makes the page of it. Measures nothing.

keep("client", "j or k in a topic: CPU", found="2.1 ms", goal="≤ 3 ms", beside={"do-nothing app": "0.6 ms"})
"""

import json
import platform
import time
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parents[1] / ".cache" / "benchmarks"
"""One file of rows for each table; what is not measured again stays."""


def keep(table: str, row: str, *, measured: str, goal: str, beside: dict[str, str]) -> None:
    """Print a row and put it into the page's table, in the place of the one with the same name.

    `beside` are the figures of peers in the same run, by the peer's name.
    """
    print(f"{row:58} {measured:>12}  goal {goal:12} {beside or ''}", flush=True)
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
    }
    path.write_text(json.dumps(rows, indent=1))
