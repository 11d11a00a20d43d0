"""What is done before the first fork so that sessions share more."""

import sys
from itertools import pairwise

from tui.ssh import warm


def test_new_objects_lie_side_by_side() -> None:
    """Where every other place was free: a session's objects are not spread over pages that it shares."""
    size = 64 - sys.getsizeof(b"")
    kept = [bytes(size) for _ in range(20_000)]
    del kept[::2]
    filling = list(warm.fill_gaps())  # kept, or its places would be free again
    new = [bytes(size) for _ in range(100)]
    neighbors = [b for a, b in pairwise(new) if id(b) - id(a) == 64]
    assert len(neighbors) > 90, len(filling)
