"""Lines about one's files. Pure."""

from datetime import UTC

import pytest

from tests import eg
from tui.api.model import Attachment, MessageId
from tui.view.attachments import created, detail, in_order, size
from tui.view.times import Times

TIMES = Times(zone=UTC, twelve_hour=False)


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1536, "1.5 KiB"),
        (20 * 2**20, "20 MiB"),
        (3 * 2**40, "3072 GiB"),
    ],
)
def test_sizes_are_said_as_people_say_them(count: int, said: str) -> None:
    """Two digits are enough to know whether it is large."""
    assert size(count) == said


def test_files_of_old_and_new_servers_are_in_one_order() -> None:
    """Older servers say milliseconds; the newest is first all the same."""
    old = eg.make(Attachment, id=1, name="a", size=1, create_time=1_700_000_000_000, message_ids=())
    new = eg.make(
        Attachment,
        id=2,
        name="b",
        size=2048,
        create_time=1_700_000_060,
        message_ids=(MessageId(1),),
    )
    assert [each.name for each in in_order([old, new])] == ["b", "a"]
    assert created(old) == 1_700_000_000
    assert detail(new, TIMES) == "2.0 KiB · 14 Nov 2023, 22:14 · in 1 message"
