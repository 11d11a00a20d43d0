"""Texts that are costly to render: they hold nobody, and stay in the order in which they were sent."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from server_lite.access import rendering
from server_lite.access.recipients import ChannelRecipient
from server_lite.access.rendering import Rendering
from server_lite.actions.channels import create_channel
from server_lite.actions.messages import send_message
from server_lite.actions.users import create_user
from server_lite.markup.render import render
from server_lite.store.channels import ChannelRow
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role, UserRow

COSTLY = "*a*" * 600


def _found(tx: Tx) -> tuple[ChannelRow, UserRow, UserRow]:
    ann, bob = (
        create_user(tx, email=f"{name}@x.de", full_name=name, role=Role.MEMBER, password=None)
        for name in ("ann", "bob")
    )
    return create_channel(tx, ann, name="c"), ann, bob


async def test_a_costly_text_is_rendered_in_a_thread_and_stays_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page of markup held all others for 100 ms. Its sender's next message waits for it, other people's do not."""
    renderers = list[bool]()
    may_go_on = threading.Event()

    def noted(content: str, lookup: Any) -> Any:
        renderers.append(threading.current_thread() is threading.main_thread())
        if not renderers[-1]:
            may_go_on.wait(10)
        return render(content, lookup)

    monkeypatch.setattr(rendering, "render", noted)
    database = Database(tmp_path / "x.db")
    channel, ann, bob = database.write_now(_found)
    renders = Rendering(database)

    async def send(sender: UserRow, content: str) -> int:
        def change(tx: Tx) -> int:
            return send_message(
                tx, sender, ChannelRecipient(channel, "t"), content, client="test"
            ).id

        async with renders.ahead(sender, content):
            return await database.write(change)

    sending = [asyncio.create_task(send(ann, text)) for text in (COSTLY, "next", COSTLY + "!")]
    first = await send(bob, "other")
    may_go_on.set()
    ids = await asyncio.gather(*sending)
    assert [first, *ids] == sorted([first, *ids])
    assert renderers.count(False) == 2
    assert renderers.count(True) == 2
    assert not renders.has_to_wait(ann, "later")
    assert database.reader.kept(rendering._rendered_ahead) == {}
    database.close()


async def test_many_previews_of_one_user_do_not_delay_messages_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All texts are rendered by one thread: a hundred previews at once would hold it for ten seconds."""
    rendered = list[str]()
    may_go_on = threading.Event()

    def noted(content: str, lookup: Any) -> Any:
        may_go_on.wait(10)
        rendered.append(content[-1])
        return render("", lookup)

    monkeypatch.setattr(rendering, "render", noted)
    database = Database(tmp_path / "x.db")
    _, ann, bob = database.write_now(_found)
    renders = Rendering(database)

    async def send() -> None:
        async with renders.ahead(bob, COSTLY + "!"):
            pass

    previews = [asyncio.create_task(renders.rendered(ann, COSTLY, "")) for _ in range(9)]
    sending = asyncio.create_task(send())
    await asyncio.sleep(0)  # all of them have begun
    may_go_on.set()
    await asyncio.gather(sending, *previews)
    assert rendered.index("!") <= 2
    database.close()
