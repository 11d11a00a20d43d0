"""The connection breaks at any byte of a request or its answer: everything is done once, and known.

With keys and without: in the second half the wire hides that the server keeps them. The short runs
take some bytes of each exchange, the first and the last among them; the long ones take every byte.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

import pytest

from server_lite.store.users import Role
from tests.faults import cutting
from tests.faults.cutting import NEVER, Cut, Cutter, Side, Words, cuttable
from tests.faults.laptop import Laptop, general, laptop
from tests.live import Live, Person, live, until
from tui.api.destination import TopicDestination
from tui.api.model import MessageId, Reaction
from tui.commands import messages, reactions
from tui.errors import ApiError
from tui.narrow import TopicNarrow
from tui.sync.event_source import MOST_PAUSE_SECONDS

SHORT: Final = 5
"""Breaks on each side of an exchange in a short run."""

KEYS: Final = pytest.mark.parametrize("hides_keys", [False, True], ids=["keys", "no keys"])


@dataclass(slots=True)
class CutClient:
    """Somebody's client on a wire that can be cut, and the same person on one that cannot."""

    server: Live
    ann: Person
    wire: Cutter
    there: Laptop
    tea: TopicDestination
    cuts: int = 0
    names: int = 0

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

    async def each_cut(
        self, begins: bytes, operation: Callable[[str], Awaitable[None]], *, every: int | None
    ) -> None:
        """Do something once for each place where the wire may break.

        `operation` gets a name nobody had before; `every` is the distance of the breaks in bytes.
        """
        whole = Cut(begins, "answer", NEVER)
        self.wire.cut = whole
        await operation(self._name())
        planned = 0
        for side in get_args(Side):
            length: int = getattr(whole, side)
            assert length, f"{begins!r} did not come by"
            step = every or max(1, length // (SHORT - 1))
            for after in [*range(side == "request", length, step), length]:
                self.wire.cut = cut = Cut(begins, side, after)
                await operation(self._name())
                self.wire.cut = None
                planned += 1
                self.cuts += cut.is_done
        # Not each exchange has the same length: a digit more in an id.
        assert self.cuts >= planned * 0.6, f"{begins!r}: {self.cuts} of {planned}"
        self.cuts = 0

    def _name(self) -> str:
        self.names += 1
        return f"{self.names:06}"


@asynccontextmanager
async def scene(folder: Path, *, hides: Words = ()) -> AsyncIterator[CutClient]:
    """Ann at her laptop; the channel "general"."""
    async with live(folder) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        tea = await general(ann)
        async with (
            cuttable(server.url, hides=hides) as wire,
            laptop(wire.url, ann, folder / "laptop") as there,
        ):
            assert there.store.realm.idempotency_keys == (hides is not cutting.KEYS)
            yield CutClient(server, ann, wire, there, tea)


async def _persist(operation: Callable[[], Awaitable[object]]) -> None:
    """As a person does: again, until it is done."""
    while True:
        try:
            await operation()
        except ApiError:
            continue
        return


async def _messages(folder: Path, *, hides_keys: bool, every: int | None) -> None:
    async with scene(folder, hides=cutting.KEYS if hides_keys else ()) as here:
        there, texts = here.there, []

        async def send(name: str) -> None:
            texts.append(name)
            there.sending.send(here.tea, name)
            await until(lambda: not there.waiting)
            for message in list(there.store.outbox.by_id.values()):
                if message.state == "unclear":
                    assert hides_keys, "with keys there is no doubt"
                    assert name not in await here.said(), "it was found, and was to be"
                    there.sending.retry(message.local_id)
            await until(lambda: not there.waiting)

        await here.each_cut(b"POST /api/v1/messages ", send, every=every)
        assert await here.said() == texts
        await until(lambda: not there.store.outbox.by_id)
        assert there.database.rows("SELECT * FROM outbox") == []
        await there.caught_up()


async def _drafts(folder: Path, *, hides_keys: bool, every: int | None) -> None:
    async with scene(folder, hides=cutting.KEYS if hides_keys else ()) as here:
        there, texts = here.there, []

        async def theirs() -> list[str]:
            return sorted(d["content"] for d in (await here.ann.get("drafts"))["drafts"])

        async def write(name: str) -> None:
            local = there.drafts.write(None, here.tea, name)
            # Gone on with while the first words are on their way.
            there.drafts.write(local, here.tea, f"{name} and more")
            texts.append(f"{name} and more")

            async def arrived() -> bool:
                return await theirs() == sorted(texts)

            await until(arrived)

        async def go_on(name: str) -> None:
            local = next(d for d in there.store.drafts.local.values() if d.content == texts[-1])
            texts[-1] = name
            there.drafts.write(local.local_id, here.tea, name)

            async def arrived() -> bool:
                return await theirs() == sorted(texts)

            await until(arrived)

        await here.each_cut(b"POST /api/v1/drafts ", write, every=every)
        await here.each_cut(b"PATCH /api/v1/drafts/", go_on, every=every)
        await there.caught_up()
        local = sorted(d.content for d in there.store.drafts.local.values())
        assert local == sorted(texts)

        async def discard(_: str) -> None:
            there.drafts.write(None, here.tea, f"{len(texts)}")
            local = next(iter(there.store.drafts.local))
            there.drafts.discard(local)
            await until(lambda: not there.drafts._disk.deletions())

        await here.each_cut(b"DELETE /api/v1/drafts/", discard, every=every)
        await there.caught_up()


async def _reactions_and_edits(folder: Path, *, every: int | None) -> None:
    async with scene(folder) as here:
        there = here.there
        sent = await here.ann.post(
            "messages", type="stream", to="general", topic="tea", content="was"
        )
        message_id = MessageId(sent["id"])
        await there.sync.history.around(TopicNarrow(here.tea.channel_id, here.tea.topic), "newest")
        tada = Reaction(
            emoji_name="tada",
            emoji_code="1f389",
            reaction_type="unicode_emoji",
            user_id=there.store.self_id,
        )

        async def react(_: str) -> None:
            for on in (True, False):
                await _persist(lambda on=on: reactions.react(there.sync, message_id, tada, on=on))  # type: ignore[misc]  # mypy knows no type of a bound default
                await until(
                    lambda on=on: (there.store.message(message_id).reactions != ()) == on  # type: ignore[union-attr]  # it is there
                )

        texts = ["was"]

        async def edit(name: str) -> None:
            await _persist(lambda: messages.edit(there.sync, message_id, name, was=texts[-1]))
            texts.append(name)

        await here.each_cut(f"POST /api/v1/messages/{message_id}/reac".encode(), react, every=every)
        await here.each_cut(f"DELETE /api/v1/messages/{message_id}/re".encode(), react, every=every)
        await here.each_cut(f"PATCH /api/v1/messages/{message_id} ".encode(), edit, every=every)
        history = await here.ann.get(f"messages/{message_id}/history")
        assert [entry["content"] for entry in history["message_history"]] == texts
        await there.caught_up()


async def _uploads(folder: Path, *, hides_keys: bool, every: int | None) -> None:
    async with scene(folder, hides=cutting.KEYS if hides_keys else ()) as here:
        there, names = here.there, []

        async def upload(name: str) -> None:
            file = folder / f"{name}.txt"
            file.write_text(name * 20)
            pending = there.uploads.begin(file, here.tea)
            markdown = await there.uploads.send(pending, lambda *_: None, lambda _: None)
            there.uploads.end(pending)
            assert f"[{file.name}](/user_uploads/" in markdown
            names.append(file.name)

        await here.each_cut(b"POST /api/v1/user_uploads ", upload, every=every)
        mine = await here.ann.get("attachments")
        assert sorted(each["name"] for each in mine["attachments"]) == sorted(names)
        assert there.database.rows("SELECT * FROM upload") == []


async def _events(folder: Path, *, every: int | None, hides: Words = ()) -> None:
    async with scene(folder, hides=hides) as here:
        there, told = here.there, []

        async def hear(name: str) -> None:
            if not hides:  # asked anew, and in a stream, although the last one was cut
                there.world.later += MOST_PAUSE_SECONDS
                there.sync.retry_now()
            message = {"type": "stream", "to": "general", "topic": "tea", "content": name}
            for _ in range(2):  # the first may come by a poll of before
                sent = await here.ann.post("messages", **message)
                told.append(sent["id"])
                await until(lambda: there.store.max_message_id == told[-1] and there.is_live)
            await until(lambda: here.server.app.queues.waiting == 1)

        async def start_over(_: str) -> None:
            await here.ann.delete("events", queue_id=there.sync.queue_id)
            old = there.store
            await until(lambda: there.store is not old and there.is_live)

        await until(lambda: here.server.app.queues.waiting == 1)
        await here.each_cut(b"GET /api/v1/events?", hear, every=every)
        await here.each_cut(b"POST /api/v1/register ", start_over, every=every)
        await there.caught_up()


@KEYS
async def test_a_message_is_sent_once(tmp_path: Path, hides_keys: bool) -> None:
    """I pressed Enter once: it is there once, or I am asked where nobody can know."""
    await _messages(tmp_path, hides_keys=hides_keys, every=None)


@KEYS
async def test_a_draft_is_kept_once(tmp_path: Path, hides_keys: bool) -> None:
    """What I write is one draft on the server, with all its words; thrown away, it is gone."""
    await _drafts(tmp_path, hides_keys=hides_keys, every=None)


async def test_reactions_and_edits_are_done_once(tmp_path: Path) -> None:
    """Trying again after a broken line is no second reaction, no second edit, and no error."""
    await _reactions_and_edits(tmp_path, every=None)


@KEYS
async def test_a_file_is_uploaded_once(tmp_path: Path, hides_keys: bool) -> None:
    """A file goes up again when the line broke, and lies on the server once."""
    await _uploads(tmp_path, hides_keys=hides_keys, every=None)


@pytest.mark.parametrize("hides", [(), cutting.STREAMS], ids=["stream", "polls"])
async def test_no_event_is_missed(tmp_path: Path, hides: Words) -> None:
    """Whatever was lost on the way, I know in the end what a fresh start would tell me."""
    await _events(tmp_path, every=None, hides=hides)


@pytest.mark.soak
@pytest.mark.timeout(1200)
@KEYS
async def test_cut_at_every_byte(tmp_path: Path, hides_keys: bool) -> None:
    """The same, wherever it breaks."""
    for number, story in enumerate((_messages, _drafts, _uploads)):
        folder = tmp_path / str(number)
        folder.mkdir()
        await story(folder, hides_keys=hides_keys, every=1 if story is _messages else 3)
    if not hides_keys:
        for number, other in enumerate((_reactions_and_edits, _events)):
            folder = tmp_path / f"other {number}"
            folder.mkdir()
            await other(folder, every=1 if other is _reactions_and_edits else 7)
