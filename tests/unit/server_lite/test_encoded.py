"""JSON that is kept: for each of thousands of people, and for each event that many are told."""

import tracemalloc

from orjson import Fragment, loads

from server_lite.objects.encoded import KeptValues, array, kept, open_object


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


def test_a_kept_list_is_copied_with_one_value_replaced() -> None:
    """Users see their own address in the list of all; it is joined once for all of them."""
    values = KeptValues({7: b'{"a":1}', 3: b"2", 9: b'"x,y"'})
    for replaced, expected in (
        (7, [0, 2, "x,y"]),
        (3, [{"a": 1}, 0, "x,y"]),
        (9, [{"a": 1}, 2, 0]),
    ):
        fields = {"with": values.array_with(replaced, b"0"), "all": values.array()}
        whole = open_object({**fields, "none": KeptValues({}).array()}) + b"}"
        assert loads(whole) == {"with": expected, "all": [{"a": 1}, 2, "x,y"], "none": []}
    assert values.among({9, 7, 1}) == {7: b'{"a":1}', 9: b'"x,y"'}
    assert 3 in values
    assert 1 not in values
