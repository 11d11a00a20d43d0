"""JSON that is kept: for each of thousands of people, and for each event that many are told."""

import tracemalloc

from orjson import Fragment, loads

from server_lite.objects.encoded import array, kept, open_object


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


def test_an_open_object_is_completed_by_what_follows() -> None:
    """The long part of an answer is not copied to add a few fields."""
    fields = {"a": [1], "b": {2: Fragment(b'"x"')}, "d": array([b"1", b"2"]), "e": array([b"{}"])}
    whole = open_object({**fields, "f": array([])}) + b',"c":3}'
    assert loads(whole) == {"a": [1], "b": {"2": "x"}, "d": [1, 2], "e": [{}], "f": [], "c": 3}
    assert open_object({}) == b"{"
