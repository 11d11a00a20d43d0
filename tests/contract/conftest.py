"""A database for the examples of one module; see `rolled_back`."""

from collections.abc import Iterator

import pytest

from server_lite.store.database import Database


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Provide a file of the schema; each example is rolled back."""
    database = Database(tmp_path_factory.mktemp("examples") / "chinwag.db")
    yield database
    database.close()
