"""Lists that people put in order."""

from tui.commands.reorder import moved


def test_what_is_moved_stays_in_the_list() -> None:
    """At either end there is nowhere to go; what is gone by now moves nothing."""
    assert moved("abc", "c", -1) == ["a", "c", "b"]
    assert moved("abc", "a", -1) == ["a", "b", "c"]
    assert moved("abc", "c", 5) == ["a", "b", "c"]
    assert moved("abc", "x", 1) == ["a", "b", "c"]
