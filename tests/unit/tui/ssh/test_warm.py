"""What is done before the first fork so that sessions share more."""

import subprocess
import sys
from typing import Final

FILLED: Final = """
import sys
from itertools import pairwise
from tui.ssh import warm

size = 64 - sys.getsizeof(b"")
kept = [bytes(size) for _ in range(20_000)]
del kept[::2]
filling = list(warm.fill_gaps())  # kept, or its places would be free again
new = [bytes(size) for _ in range(100)]
print(sum(id(b) - id(a) == 64 for a, b in pairwise(new)))
"""


def test_new_objects_lie_side_by_side() -> None:
    """Where every other place was free: a session's objects are not spread over pages that it shares.

    In a process of its own, as in the product: what other tests left free is another matter.
    """
    done = subprocess.run(
        [sys.executable, "-c", FILLED], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert int(done.stdout) > 90
