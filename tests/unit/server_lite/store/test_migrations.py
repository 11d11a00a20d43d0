"""The steps of the schema: numbered each number once, and one change of a new file."""

from contextlib import closing
from pathlib import Path

import apsw

from server_lite.store.migrations import migrate, migrations, newest
from tests.call_counter import statements


def test_each_step_has_a_number_of_its_own() -> None:
    """A file that stopped between two steps of one number could never be opened again."""
    numbers = [number for number, _ in migrations()]
    assert len(set(numbers)) == len(numbers)


def test_a_new_file_gets_all_steps_at_once(tmp_path: Path) -> None:
    """It is empty or whole, and a new organization waits for the disk once, not for each step."""
    path = tmp_path / "team.db"
    with closing(apsw.Connection(str(path))) as connection:
        with statements(connection) as sql:
            migrate(connection, path)
        assert sql.count("COMMIT") == 1
        assert connection.pragma("user_version") == newest()
