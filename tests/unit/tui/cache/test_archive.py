"""What was seen stays readable without a server: by conversation, and by search."""

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import eg
from tests.searches import SEARCHES
from tui.api.model import ChannelId, Message, MessageId
from tui.cache import archive
from tui.cache.archive import Archive
from tui.narrow import AllMessages, DmNarrow, Narrow, Search, TopicNarrow, conversation_of
from tui.narrow.terms import Term

KETTLE = eg.message(11, topic="Tea", content="<p>Is the kettle on?</p>")
MILK = eg.message(12, topic="milk", content="<p>who brings <b>milk</b>?</p>")
LUNCH = eg.dm(13, content="<p>lunch?</p>")
CUPS = eg.message(14, topic="tea", content="<p>and the cups</p>")
SAID = {
    11: "Is the kettle on?",
    12: "who brings milk?",
    13: "lunch?",
    14: "and the cups",
}


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Archive]:
    """An archive with four messages."""
    full = Archive(tmp_path / "messages.db")
    full.keep([(each, SAID[each.id]) for each in (KETTLE, MILK, LUNCH, CUPS)])
    yield full
    full.close()


def ids(messages: list[Message]) -> list[int]:
    return [message.id for message in messages]


@pytest.mark.parametrize(
    ("narrow", "message_ids"),
    [
        (TopicNarrow(ChannelId(9), "TEA"), [11, 14]),
        (conversation_of(LUNCH), [13]),
        (AllMessages(), [11, 12, 13, 14]),
        (Search((Term("search", "WHO milk"),)), [12]),
        (Search((Term("search", '"kettle'), Term("channel", 9))), [11]),
        (Search((Term("search", "milk", negated=True), Term("channel", 9))), [11, 14]),
        (Search((Term("is", "dm"),)), [13]),
        (Search((Term("topic", "tea", negated=True), Term("channel", 9))), [12]),
        (DmNarrow(frozenset()), []),
    ],
)
def test_a_narrow_is_found_in_what_is_kept(
    kept: Archive, narrow: Narrow, message_ids: list[int]
) -> None:
    """Conversations, feeds and searches find the messages that were seen, as they were."""
    assert ids(kept.before(narrow, 99, 50)) == message_ids
    assert ids(kept.since(narrow, 0, 50)) == message_ids


@pytest.mark.parametrize(("typed", "text", "is_found"), SEARCHES)
def test_searches_find_what_a_server_finds(
    tmp_path: Path, typed: str, text: str, is_found: bool
) -> None:
    """Without a server the same is found; the server's index has the same table."""
    file = Archive(tmp_path / "messages.db")
    file.keep([(KETTLE, text)])
    narrow = Search((Term("search", typed),))
    assert ids(file.before(narrow, 99, 9)) == ([11] if is_found else [])
    file.close()


def test_pages_go_both_ways(kept: Archive) -> None:
    """From a message backwards and forwards, in the order they were said."""
    assert ids(kept.before(AllMessages(), 14, 2)) == [12, 13]
    assert kept.since(AllMessages(), 12, 2) == [MILK, LUNCH]


def test_the_file_is_private_and_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody else reads it, the oldest make room, and what was deleted is gone."""
    monkeypatch.setattr(archive, "MOST_MESSAGES", 2)
    small = Archive(tmp_path / "messages.db")
    small.keep([(each, "") for each in (KETTLE, MILK, LUNCH)])
    small.forget([MessageId(12)])
    assert ids(small.before(AllMessages(), 99, 9)) == [13]
    assert stat.S_IMODE((tmp_path / "messages.db").stat().st_mode) == 0o600
    small.close()


def test_a_damaged_byte_costs_one_message(kept: Archive, tmp_path: Path) -> None:
    """The others of the conversation are still read."""
    kept.close()
    path = tmp_path / "messages.db"
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"id":11', b'"i\xf9":11'))
    assert ids(kept.before(AllMessages(), 99, 9)) == [12, 13, 14]


def test_a_damaged_file_is_begun_anew(tmp_path: Path) -> None:
    """Garbage in its place costs what was kept, and nothing else."""
    path = tmp_path / "messages.db"
    path.write_bytes(b"not a database" * 500)
    damaged = Archive(path)
    assert damaged.before(AllMessages(), 99, 9) == []
    damaged.keep([(CUPS, "")])
    assert ids(damaged.before(AllMessages(), 99, 9)) == [14]
    damaged.close()


def test_an_archive_of_any_size_takes_little_memory(kept: Archive) -> None:
    """SQLite keeps 2 MB of pages otherwise; negative numbers are KiB."""
    assert kept._connection is not None
    assert kept._connection.execute("PRAGMA cache_size").fetchone() == (-archive.CACHE_KIB,)
    assert archive.CACHE_KIB <= 256
