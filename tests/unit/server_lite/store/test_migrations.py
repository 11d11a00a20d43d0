"""The steps of the schema: numbered each number once."""

from server_lite.store.migrations import migrations


def test_each_step_has_a_number_of_its_own() -> None:
    """A file that stopped between two steps of one number could never be opened again."""
    numbers = [number for number, _ in migrations()]
    assert len(set(numbers)) == len(numbers)
