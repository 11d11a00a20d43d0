"""A large organization, for problems that small ones do not show. Generated once, cached, served as a copy.

    async with large(tmp_path) as there:                     # 60 channels, 1,000 topics, 3,000 messages
        async with playing(there.server, there.ann, tmp_path) as player: ...

The same sources generate the same file. It is cached in the project's `.cache/`, under a digest of the
schema, the renderer and the generator; several runs may request it at once.
"""

import fcntl
import hashlib
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from server_lite.actions.organization import NewOrganization
from server_lite.maintenance.files import create_organization
from tests.large_rows import ANN, BEGIN, Size, key_of, populate
from tests.live import Live, Person, live
from tests.shape.sources import ROOT

STORY: Final = Size(
    "story", people=120, channels=60, topics=1_000, messages=3_000, unread=400, joined=12
)
"""Typical of real teams."""
SCALE: Final = Size(
    "scale", people=5_000, channels=500, topics=10_000, messages=60_000, unread=50_000, joined=15
)
"""Among the largest."""

_FOLDER: Final = ROOT / ".cache" / "large-organization"
_SOURCES: Final = (
    "server_lite/store/schema/*.sql",
    "server_lite/markup/**/*.py",
    "tests/large_*.py",
)


@dataclass(frozen=True, slots=True)
class Large:
    """A running server with a large organization; Ann owns it, Ben is a member."""

    server: Live
    ann: Person
    ben: Person


@asynccontextmanager
async def large(folder: Path, size: Size = STORY, **options: Any) -> AsyncIterator[Large]:
    """Serve a copy from `folder`; `options` are those of `live`."""
    _copy(size, folder)
    async with live(folder, **options) as server:
        ann, ben = (
            Person(user_id, email, key_of(user_id), server.client(auth=(email, key_of(user_id))))
            for user_id, email in ((2, "ann@example.com"), (3, "ben@example.com"))
        )
        yield Large(server, ann, ben)


def _copy(size: Size, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file_of(size), folder / "chinwag.db")


def file_of(size: Size) -> Path:
    """Return the file to copy, generated if missing. It must not be written."""
    kept = _FOLDER / f"{size.name}-{_digest()}.db"
    if not kept.exists():
        _FOLDER.mkdir(parents=True, exist_ok=True)
        with _alone(_FOLDER / f"{size.name}.lock"):
            if not kept.exists():
                _make(kept, size)
    return kept


def _make(kept: Path, size: Size) -> None:
    for old in _FOLDER.glob(f"{size.name}-*.db*"):
        old.unlink()
    founding = NewOrganization(
        name="The Large Guild", owner_email="ann@example.com", owner_name=ANN, password=None
    )

    def fill(tx: Any, owner: Any) -> None:
        assert owner.id == 2  # `large` relies on it
        populate(tx, size)

    draft = kept.with_suffix(".draft")
    create_organization(draft, founding, fill, clock=lambda: BEGIN)
    os.replace(draft, kept)


def _digest() -> str:
    """Return a digest of everything that determines the file."""
    digest = hashlib.sha256()
    for pattern in _SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Exclude other processes."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
