"""A network that lies: no proxy's page, no portal and no failing server is a verdict on anything.

Waiting takes no time here: a lie that is told `LONG` times is one that lasted for minutes.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from server_lite.store.users import Role
from tests.e2e.client import idle, playing
from tests.e2e.team import team
from tests.faults.cutting import KEYS, cuttable
from tests.faults.laptop import Laptop, general, laptop
from tests.faults.lies import BROKEN, LIES, PORTALS, SIGNED_OUT, Liar, Lie, lied_to
from tests.live import Live, Person, live, until
from tui.api.destination import TopicDestination
from tui.api.model import MessageId, Reaction
from tui.commands import messages, reactions
from tui.errors import ApiError, ApiRefused
from tui.narrow import TopicNarrow
from tui.sync.status import SignedOut

LONG: Final = 8
"""With delays that grow to 45 seconds."""
SEND: Final = b"POST /api/v1/messages "


@dataclass(slots=True)
class LiedToClient:
    """Somebody's client on a network that may lie, and the same person on one that does not."""

    server: Live
    ann: Person
    liar: Liar
    there: Laptop
    tea: TopicDestination

    async def said(self) -> list[str]:
        """What the topic has, as the server knows it."""
        page = await self.ann.get(
            "messages",
            anchor="newest",
            num_before=5000,
            num_after=0,
            apply_markdown=False,
            narrow=[{"operator": "topic", "operand": "tea"}],
        )
        return [message["content"] for message in page["messages"]]

    async def lied(self, lie: Lie, *begins: bytes) -> None:
        """Lie for long, then no more."""
        self.liar.start(lie, *begins)
        self.there.sync.retry_now()
        await until(lambda: self.liar.told >= LONG)
        self.liar.stop()

    def states(self) -> list[str]:
        return [m.state for m in self.there.store.outbox.by_id.values() if m.state != "sent"]


@asynccontextmanager
async def scene(folder: Path, *, hides_keys: bool = False) -> AsyncIterator[LiedToClient]:
    """Ann at her laptop; the channel "general"."""
    async with live(folder) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        tea = await general(ann)
        async with AsyncExitStack() as stack:
            url = server.url
            if hides_keys:
                url = (await stack.enter_async_context(cuttable(url, hides=KEYS))).url
            liar = await stack.enter_async_context(lied_to(url))
            there = await stack.enter_async_context(laptop(liar.url, ann, folder / "laptop"))
            yield LiedToClient(server, ann, liar, there, tea)
            assert not any(isinstance(each, SignedOut) for each in there.statuses)


async def test_messages_wait_for_as_long_as_the_network_lies(tmp_path: Path) -> None:
    """Two messages, no key pressed: sent by themselves, once, in the order I wrote them."""
    async with scene(tmp_path) as here:
        texts = []
        for number, lie in enumerate(LIES):
            here.liar.start(lie, SEND)
            for part in "ab":
                texts.append(f"{lie.name} {number} {part}")
                here.there.sending.send(here.tea, texts[-1])
            await until(lambda: here.liar.told >= LONG)
            assert set(here.states()) <= {"waiting", "sending"}, lie
            here.liar.stop()
            await until(lambda: not here.there.waiting)
            assert here.states() == [], lie
        assert await here.said() == texts
        assert here.there.database.rows("SELECT * FROM outbox") == []


async def test_a_short_trouble_does_not_let_a_message_overtake(tmp_path: Path) -> None:
    """One answer of 503 for the first of three: still the first of three."""
    async with scene(tmp_path) as here:
        texts = []
        for times in range(1, 8):
            here.liar.start(BROKEN[2], SEND)
            for part in "abc":
                texts.append(f"{times} {part}")
                here.there.sending.send(here.tea, texts[-1])
            await until(lambda times=times: here.liar.told >= times)
            here.liar.stop()
            await until(lambda: not here.there.waiting)
        assert await here.said() == texts


async def test_without_keys_a_portal_costs_no_key_press_and_a_failure_is_asked_about(
    tmp_path: Path,
) -> None:
    """A portal answers in the server's place: nothing was sent. A server that broke may have sent it."""
    async with scene(tmp_path, hides_keys=True) as here:
        assert not here.there.store.realm.idempotency_keys
        texts = []
        for number, lie in enumerate((*PORTALS, *BROKEN[:2])):
            texts.append(f"{lie.name} {number}")
            here.liar.start(lie, b"")  # to everything: its own messages cannot be looked at either
            local_id = here.there.sending.send(here.tea, texts[-1])
            await until(lambda: here.liar.told >= LONG)
            assert set(here.states()) <= {"waiting", "sending"}, lie
            here.liar.stop()
            await until(lambda: not here.there.waiting)
            in_doubt = here.states() == ["unclear"]
            assert in_doubt == (lie in BROKEN or lie.name in ("text 200", "empty 200")), lie
            if in_doubt:
                assert texts[-1] not in await here.said()
                here.there.sending.retry(local_id)
                await until(lambda: not here.there.waiting)
        assert await here.said() == texts


async def test_a_draft_comes_through_in_the_end(tmp_path: Path) -> None:
    """What I wrote is one draft on the server, with its last words, and thrown away it is gone there."""
    async with scene(tmp_path) as here:
        for lie in LIES:
            here.liar.start(lie, b"POST /api/v1/drafts", b"PATCH /api/v1/drafts")
            local = here.there.drafts.write(None, here.tea, f"{lie.name}")
            await until(lambda: here.liar.told >= 3)
            here.liar.stop()
            await until(partial(_drafts, here, lie.name))
            here.liar.start(lie, b"PATCH /api/v1/drafts")
            here.there.drafts.write(local, here.tea, f"{lie.name} and more")
            await until(lambda: here.liar.told >= 3)
            assert [d.content for d in here.there.store.drafts.local.values()] == [
                f"{lie.name} and more"
            ]
            here.liar.stop()
            await until(partial(_drafts, here, f"{lie.name} and more"))
            here.liar.start(lie, b"DELETE /api/v1/drafts")
            assert local is not None
            here.there.drafts.discard(local)
            await until(lambda: here.liar.told >= 3)
            here.liar.stop()
            await until(lambda: _drafts(here))


async def _drafts(here: LiedToClient, *texts: str) -> bool:
    drafts = (await here.ann.get("drafts"))["drafts"]
    return [each["content"] for each in drafts] == list(texts)


async def test_a_file_comes_through_in_the_end(tmp_path: Path) -> None:
    """A file goes up when the network is right again, and lies there once."""
    async with scene(tmp_path) as here:
        names = []
        for number, lie in enumerate(LIES):
            file = tmp_path / f"{number}.txt"
            file.write_text(f"{number}" * 20)
            pending = here.there.uploads.begin(file, here.tea)
            here.liar.start(lie, b"POST /api/v1/user_uploads")
            sending = asyncio.ensure_future(
                here.there.uploads.send(pending, lambda *_: None, lambda _: None)
            )
            await until(lambda sending=sending: here.liar.told >= LONG or sending.done())
            here.liar.stop()
            assert file.name in await sending, lie
            here.there.uploads.end(pending)
            names.append(file.name)
        mine = await here.ann.get("attachments")
        assert sorted(each["name"] for each in mine["attachments"]) == sorted(names)


async def test_reactions_and_edits_are_not_refused_by_a_stranger(tmp_path: Path) -> None:
    """It is said that it did not work, what was there is shown again, and a second try does it."""
    async with scene(tmp_path) as here:
        there = here.there
        sent = await here.ann.post(
            "messages", type="stream", to="general", topic="tea", content="was"
        )
        message_id = MessageId(sent["id"])
        await there.sync.history.around(TopicNarrow(here.tea.channel_id, "tea"), "newest")
        tada = Reaction(
            emoji_name="tada",
            emoji_code="1f389",
            reaction_type="unicode_emoji",
            user_id=there.store.self_id,
        )
        was = "was"
        for lie in LIES:
            here.liar.start(lie, b"POST /api/v1/messages/", b"PATCH /api/v1/messages/")
            with pytest.raises(ApiError) as caught:
                await reactions.react(there.sync, message_id, tada, on=True)
            assert not isinstance(caught.value, ApiRefused), lie
            with pytest.raises(ApiError) as caught:
                await messages.edit(there.sync, message_id, lie.name, was=was)
            assert not isinstance(caught.value, ApiRefused), lie
            shown = there.store.message(message_id)
            assert shown is not None
            assert shown.reactions == ()
            here.liar.stop()
            await messages.edit(there.sync, message_id, lie.name, was=was)
            was = lie.name
        assert (await here.said()) == [was]


@pytest.mark.parametrize("begins", [b"GET /api/v1/events", b"POST /api/v1/register", b""])
async def test_the_stream_goes_on_when_the_network_is_right_again(
    tmp_path: Path, begins: bytes
) -> None:
    """What was said meanwhile is there, nobody was signed out, and nothing had to be pressed."""
    async with scene(tmp_path) as here:
        there = here.there
        for lie in LIES:
            here.liar.start(lie, begins)
            if begins.startswith(b"POST"):
                await here.ann.delete("events", queue_id=there.sync.queue_id)
            there.sync.retry_now()
            await until(lambda: here.liar.told >= LONG)
            assert there.sync.store_if_any is not None
            sent = await here.ann.post(
                "messages", type="stream", to="general", topic="tea", content=lie.name
            )
            here.liar.stop()
            await until(
                lambda sent=sent: there.is_live and there.store.max_message_id == sent["id"]
            )


async def test_signed_out_is_only_who_the_server_itself_does_not_know(tmp_path: Path) -> None:
    """A stale answer in the server's words signs nobody out; the server's own does, without being asked for ever."""
    async with scene(tmp_path) as here:
        there = here.there
        await here.lied(SIGNED_OUT, b"GET /api/v1/events", b"POST /api/v1/register")
        await until(lambda: there.is_live)
        await here.lied(SIGNED_OUT, b"")
        await until(lambda: there.is_live)
        there.sending.send(here.tea, "still here")
        await until(lambda: not there.waiting)
        assert await here.said() == ["still here"]
        await here.ann.post("users/me/api_key/regenerate")
        await until(lambda: isinstance(there.sync.status, SignedOut))
        there.statuses.clear()


async def test_older_messages_come_after_a_moment_of_trouble(tmp_path: Path) -> None:
    """A proxy answers 502 while the connection lives: the next move up brings them, nothing is opened again."""
    async with live(tmp_path) as server, lied_to(server.url) as liar:
        ann, ben, tea = await team(server)
        ids = [
            (await ben.post("messages", type="stream", to="design", topic="tea", content=str(at)))[
                "id"
            ]
            for at in range(250)
        ]
        async with playing(replace(server, url=liar.url), ann, tmp_path) as a:
            a.screen.account.go(tea, ids[-1])
            await until(lambda: a.screen.account.open_narrow.is_shown(tea))
            a.screen.panes.messages.focus()
            await idle(a)
            a.screen.account.session.sync.history.archive = None  # nothing of them is on the disk
            loaded = len(a.rows)
            liar.start(BROKEN[1], b"GET /api/v1/messages")
            await a.press("home")
            await until(lambda: liar.told > 0)
            await idle(a)
            assert len(a.rows) == loaded
            liar.stop()
            await a.press("up")
            await until(lambda: len(a.rows) > loaded)
