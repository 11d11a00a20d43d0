"""Fixtures for the client's unit tests: databases opened by a test are closed after it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tui.cache.database import Database


@pytest.fixture(autouse=True)
def _nothing_stays_open(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close databases that tests of a kill leave open, as a kill does; Python 3.13 warns of them."""
    opened: list[Database] = []
    opening = Database.__init__

    def noted(database: Database, path: Path) -> None:
        opening(database, path)
        opened.append(database)

    monkeypatch.setattr(Database, "__init__", noted)
    yield
    for database in opened:
        database.close()
