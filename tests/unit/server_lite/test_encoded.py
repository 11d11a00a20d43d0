"""JSON that is kept: for each of thousands of people, and for each event that many are told."""

import tracemalloc

from server_lite.objects.encoded import kept


def test_short_json_that_is_kept_holds_little_memory() -> None:
    """The encoder's own bytes are short, and hold 8 KB each: 40 MB for 5,000 people."""
    kept({})
    tracemalloc.start()
    try:
        values = [kept({"id": number}) for number in range(100)]
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held / len(values) < 200
