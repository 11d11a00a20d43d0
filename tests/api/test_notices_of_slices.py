"""What the server says about new channels holds when it is said, whatever came between two slices."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server_lite.actions.channels import archive, rename, set_privacy
from server_lite.actions.subscriptions import unsubscribe
from server_lite.endpoints import subscription_slices
from server_lite.ids import UserId
from server_lite.store import channels, messages, subscriptions, users
from server_lite.store.channels import ChannelRow
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role
from tests.api.test_messages import history, two
from tests.live import live


def _between_slices(
    monkeypatch: pytest.MonkeyPatch, database: Database, change: Callable[[Tx, ChannelRow], object]
) -> None:
    """Take a slice for each step, and change the channel "secret" after each, once it is there."""
    monkeypatch.setattr(subscription_slices, "MOST", 1)
    write = database.write

    async def followed(fn: Callable[[Tx], Any], **kwargs: Any) -> Any:
        answer = await write(fn, **kwargs)
        row = database.read(lambda db: channels.by_name(db, "secret"))
        if row is not None:
            await write(lambda tx: change(tx, row))
        return answer

    monkeypatch.setattr(database, "write", followed)


async def test_a_notice_names_no_channel_that_the_user_left_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be private, and have another name by now."""
    async with live(tmp_path) as server:
        ann, bob = await two(server, "lobby")
        cleo = await server.person("Cleo")

        def leave(tx: Tx, row: ChannelRow) -> None:
            person = users.by_id(tx, UserId(bob.id))
            assert person is not None
            if subscriptions.is_subscribed(tx, person.id, row.id):
                unsubscribe(tx, [row], [person])

        _between_slices(monkeypatch, server.app.database, leave)
        asked = {"principals": [bob.id, cleo.id], "invite_only": True}
        for names in (("secret", "tea"), ("secret",)):
            await ann.post(
                "users/me/subscriptions", subscriptions=[{"name": one} for one in names], **asked
            )
            asked["principals"] = [bob.id]
        (said,) = await history(bob, narrow=[["is", "dm"]])
        assert "tea" in said["content"]
        assert "secret" not in said["content"]
        (said,) = await history(cleo, narrow=[["is", "dm"]])
        assert "secret" in said["content"]


def _make_private(tx: Tx, row: ChannelRow) -> None:
    set_privacy(tx, row, invite_only=True, is_web_public=False, history_public=False)


def _rename(tx: Tx, row: ChannelRow) -> None:
    rename(tx, row, "open")


CHANGES = [
    (_make_private, [], ["**Private, protected history** channel created"]),
    (_rename, ["#**open**"], ["**Public** channel created"]),
    (archive, [], []),
]


@pytest.mark.parametrize(("change", "announced", "posted"), CHANGES)
async def test_new_channels_are_announced_as_they_are_by_then(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Tx, ChannelRow], object],
    announced: list[str],
    posted: list[str],
) -> None:
    """A channel that became private meanwhile is not named where all may read."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        bob = await server.person("Bob")
        place = (await ann.post("channels/create", name="lobby", subscribers=[ann.id]))["id"]
        await ann.patch(
            "realm", new_stream_announcements_stream_id=place, send_channel_events_messages=True
        )
        _between_slices(monkeypatch, server.app.database, change)
        form = {"subscriptions": [{"name": "secret"}], "principals": [bob.id], "announce": True}
        assert (await ann.post("users/me/subscriptions", **form))["result"] == "success"
        rows = server.app.database.read(
            lambda db: messages.where(db, "message.channel_id IS NOT NULL")
        )
        of_lobby = [row.content for row in rows if row.channel_id == place]
        others = [row.content for row in rows if row.channel_id != place]
        for texts, expected in ((of_lobby, announced), (others, posted)):
            assert len(texts) == len(expected), texts
            assert all(part in text for text, part in zip(texts, expected, strict=True)), texts
