"""Measures rendering: hostile texts of 5,000 and 10,000 characters, and ordinary ones.

    python -m benchmarks.markup [--rounds 5] [--limit-ms 100]

Prints the median of each in milliseconds of CPU and the ratio of the two lengths, worst first.
Nothing here is a test: the tests count calls, since seconds depend on the machine.
"""

import argparse
import statistics
import time
from collections.abc import Callable

from server_lite.markup.render import render
from tests.unit.server_lite.markup.adversarial_inputs import SHAPES
from tests.unit.server_lite.markup.organization import Organization

SHORT, LONG = 5_000, 10_000

HONEST = {
    "one line": "Lunch at 12:30? @**Ada Lovelace** see #**general>lunch** :smile:",
    "a page": "\n\n".join(
        [
            "## Status",
            "The *build* is **green** again, see https://ci.example.com/build/123 and #42.",
            "- first\n- second\n  - nested `code`",
            "> quoted words\n> over two lines",
            "```py\ndef greet(name: str) -> str:\n    return f'hello {name}'\n```",
            "| a | b |\n|---|---|\n| 1 | 2 |",
        ]
    ),
}


def median_ms(source: str, rounds: int) -> float:
    """Return the median CPU time of a rendering, in milliseconds."""
    organization = Organization()
    taken = []
    for _ in range(rounds):
        begun = time.process_time()
        render(source, organization)
        taken.append((time.process_time() - begun) * 1000)
    return statistics.median(taken)


def measured(make: Callable[[int], str], rounds: int) -> tuple[float, float]:
    """Return milliseconds at the long length, and the ratio to the short one."""
    short, long = median_ms(make(SHORT), rounds), median_ms(make(LONG), rounds)
    return long, long / short


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--limit-ms", type=float, default=100.0)
    arguments = parser.parse_args()
    for make in SHAPES.values():
        render(make(100), Organization())
    for name, source in HONEST.items():
        print(f"{median_ms(source, 200):8.2f} ms  {name} ({len(source)} characters)")
    rows = sorted(
        ((*measured(make, arguments.rounds), name) for name, make in SHAPES.items()), reverse=True
    )
    for milliseconds, ratio, name in rows:
        mark = "!" if milliseconds > arguments.limit_ms else " "
        print(f"{milliseconds:8.1f} ms{mark} x{ratio:4.2f}  {name}")


if __name__ == "__main__":
    main()
