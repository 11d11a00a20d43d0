"""A machine for each page, with the programs on its PATH."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.guides.shell import Machine
from tests.guides.warm_programs import warm_programs


@pytest.fixture(scope="session")
def programs() -> Iterator[Path]:
    """Return the folder with `chinwag` and `chinwag-server`."""
    with warm_programs() as folder:
        yield folder


@pytest.fixture
def machine(tmp_path: Path, programs: Path) -> Iterator[Machine]:
    """Return a machine where nothing has happened yet."""
    here = Machine(tmp_path, programs)
    yield here
    here.stop()
