"""Drafts: kept at every pause, the same on this machine and the server, never overwritten."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from tests import eg
from tests.conftest import Bugs
from tests.unit.tui.sync.script import (
    Audience,
    FakeEnvironment,
    Reply,
    Request,
    Script,
    lost,
    refusal,
    success,
    until,
)
from tui.api.destination import TopicDestination
from tui.api.encode import encode
from tui.api.events import (
    BaseEvent,
    DraftsAddEvent,
    DraftsRemoveEvent,
    DraftsUpdateEvent,
    UpdateMessageEvent,
)
from tui.api.model import ChannelId, Draft, DraftId, MessageId
from tui.cache.database import Database
from tui.cache.drafts import DraftFile
from tui.commands.drafts import DraftSync
from tui.commands.outbox import KeyFactory
from tui.errors import ConfigError, MalformedResponse
from tui.store.drafts import LocalDraft, LocalDraftId, conversation_of
from tui.sync.machine import Environment, Sync
from tui.sync.status import Live

E = TypeVar("E", bound=BaseEvent)
TEA = TopicDestination(channel_id=ChannelId(9), topic="greetings")


class DraftClient:
    """A keeper at work on a scripted server that stores drafts and tells of them."""

    def __init__(self, folder: Path, *drafts: Draft) -> None:
        self.theirs = {draft.id: draft for draft in drafts}
        self.numbers = itertools.count(1)
        self.script = Script(eg.snapshot(channels=[eg.subscription(9)], drafts=drafts))
        self.script.on("POST /drafts", self._create)
        self.script.on(
            "GET /drafts",
            lambda _: success(drafts=[encode(draft) for draft in self.theirs.values()]),
        )
        self.sync = Sync(
            self.script.connection, Audience(), environment=FakeEnvironment().environment()
        )
        self.disk = DraftFile(Database(folder / "account.db"))
        self.keeper = DraftSync(
            self.sync,
            self.disk,
            environment=FakeEnvironment().environment(),
            key_factory=KeyFactory(
                now=lambda: float(next(self.numbers)), new_key=lambda: f"key-{next(self.numbers)}"
            ),
        )
        for draft in drafts:
            self._serve(draft.id)

    def local(self) -> list[LocalDraft]:
        return list(self.sync.store.drafts.local.values())

    def tell(self, *, content: str, draft_id: int, topic: str = "greetings") -> None:
        """Another client changes a draft."""
        before = self.theirs[DraftId(draft_id)]
        self.theirs[DraftId(draft_id)] = replace(before, content=content, topic=topic)
        self.script.events(self._event(DraftsUpdateEvent, draft=self.theirs[DraftId(draft_id)]))

    def _create(self, request: Request) -> httpx.Response:
        (fields,) = json.loads(request.parameters["drafts"])
        draft = eg.draft(
            70 + len(self.theirs), content=fields["content"], timestamp=fields["timestamp"]
        )
        self.theirs[draft.id] = draft
        self._serve(draft.id)
        self.script.events(self._event(DraftsAddEvent, drafts=(draft,)))
        return success(ids=[draft.id])

    def _serve(self, draft_id: DraftId) -> None:
        def edit(request: Request) -> httpx.Response:
            fields = json.loads(request.parameters["draft"])
            self.tell(content=fields["content"], draft_id=draft_id, topic=fields["topic"])
            return success()

        def delete(_: Request) -> httpx.Response:
            if self.theirs.pop(draft_id, None) is None:
                return refusal("BAD_REQUEST", 404)
            self.script.events(self._event(DraftsRemoveEvent, draft_id=draft_id))
            return success()

        self.script.on(f"PATCH /drafts/{draft_id}", edit)
        self.script.on(f"DELETE /drafts/{draft_id}", delete)

    def _event(self, kind: type[E], **fields: Any) -> E:
        return eg.event(kind, next(self.numbers), **fields)


@asynccontextmanager
async def client(folder: Path, *drafts: Draft) -> AsyncIterator[DraftClient]:
    there = DraftClient(folder, *drafts)
    tasks = [asyncio.ensure_future(work()) for work in (there.sync.run, there.keeper.run)]
    try:
        there.keeper.load()
        await until(lambda: there.sync.status == Live())
        yield there
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await there.script.connection.aclose()


async def test_a_draft_is_on_disk_at_once_and_on_the_server_soon(tmp_path: Path) -> None:
    """Written here, it can be gone on with on the phone."""
    async with client(tmp_path) as there:
        there.keeper.write(None, TEA, "hello")
        assert [d.content for d in DraftFile(Database(tmp_path / "account.db")).load()] == ["hello"]
        await until(lambda: [d.content for d in there.theirs.values()] == ["hello"])
        await until(lambda: there.local()[0].synced == "hello")
        (draft_id,) = there.theirs
        assert there.local()[0].draft_id == draft_id


async def test_what_was_sent_is_no_draft_while_the_server_is_told(tmp_path: Path) -> None:
    """It is neither listed nor counted until the server's copy is gone."""
    async with client(tmp_path) as there:
        local_id = there.keeper.write(None, TEA, "hello")
        assert local_id is not None
        await until(lambda: there.local()[0].synced == "hello")
        await until(lambda: len(there.sync.store.drafts.all()) == 1)
        there.keeper.discard(local_id)
        assert there.sync.store.drafts.only_on_server() == []
        await until(lambda: not there.theirs)


async def test_what_was_sent_is_not_taken_for_a_draft_from_elsewhere(tmp_path: Path) -> None:
    """Not before the server has answered, not before it has deleted its copy, and not before that is known."""
    async with client(tmp_path) as there:
        place = conversation_of(TEA, there.sync.store.self_id)
        local_id = there.keeper.write(None, TEA, "hello")
        assert local_id is not None
        await until(lambda: bool(there.sync.store.drafts.all()))
        there.keeper.discard(local_id)
        while there.sync.store.drafts.all():
            assert there.keeper.of(place) is None
            await asyncio.sleep(0)


async def test_a_draft_of_another_machine_is_found_by_its_conversation(tmp_path: Path) -> None:
    """Whoever opens the conversation goes on with it, and makes no second one."""
    async with client(tmp_path, eg.draft(3, content="from the phone")) as there:
        draft = there.keeper.of(conversation_of(TEA, there.sync.store.self_id))
        assert draft is not None
        assert (draft.content, draft.draft_id) == ("from the phone", 3)
        assert there.disk.load() == [draft]
        assert there.keeper.of(conversation_of(TEA, there.sync.store.self_id)) == draft


async def test_writing_on_changes_the_same_draft(tmp_path: Path) -> None:
    """A text that grows is one draft, not one for each pause."""
    async with client(tmp_path) as there:
        local_id = there.keeper.write(None, TEA, "hel")
        await until(lambda: there.local()[0].synced == "hel")
        assert there.keeper.write(local_id, TEA, "hello") == local_id
        await until(lambda: [d.content for d in there.theirs.values()] == ["hello"])
        await until(lambda: there.local()[0].synced == "hello")
        assert len(there.script.asked("POST /drafts")) == 1


async def test_what_was_written_elsewhere_arrives(tmp_path: Path) -> None:
    """Gone on with on the phone, the draft here has the new words."""
    async with client(tmp_path, eg.draft(3, content="hel")) as there:
        there.keeper.open(there.theirs[DraftId(3)])
        there.tell(content="hello from the phone", draft_id=3)
        await until(lambda: there.local()[0].content == "hello from the phone")
        assert there.disk.load()[0].content == "hello from the phone"


async def test_changes_on_both_sides_are_both_kept(tmp_path: Path) -> None:
    """Nobody's words are overwritten: there are two drafts then."""
    async with client(tmp_path, eg.draft(3, content="hel")) as there:
        local = there.keeper.open(there.theirs[DraftId(3)])
        there.sync.store.settings = replace(
            there.sync.store.settings, enable_drafts_synchronization=False
        )
        there.keeper.write(local.local_id, TEA, "hello here")
        there.tell(content="hello there", draft_id=3)
        await until(lambda: there.sync.store.drafts.by_id[DraftId(3)].content == "hello there")
        there.sync.store.settings = replace(
            there.sync.store.settings, enable_drafts_synchronization=True
        )
        await there.keeper.reconcile()
        await there.keeper.reconcile()
        assert sorted(d.content for d in there.theirs.values()) == ["hello here", "hello there"]


async def test_a_late_event_of_an_own_text_is_no_change_of_another_client(tmp_path: Path) -> None:
    """Where an answer was lost, its event may come after the next text was sent: one draft stays one."""
    async with client(tmp_path, eg.draft(3, content="one")) as there:
        late: list[BaseEvent] = []

        def edit(request: Request) -> Reply:
            content = json.loads(request.parameters["draft"])["content"]
            there.theirs[DraftId(3)] = replace(there.theirs[DraftId(3)], content=content)
            late.append(there._event(DraftsUpdateEvent, draft=there.theirs[DraftId(3)]))
            return lost() if content == "two" and len(late) == 1 else success()

        def on_server() -> str:
            return there.sync.store.drafts.by_id[DraftId(3)].content

        there.script.on("PATCH /drafts/3", edit)
        local = there.keeper.open(there.theirs[DraftId(3)])
        there.keeper.write(local.local_id, TEA, "two")
        await until(lambda: there.theirs[DraftId(3)].content == "two")
        there.keeper.write(local.local_id, TEA, "three")
        await until(lambda: there.local()[0].synced == "three")
        there.script.events(late.pop(0))
        await until(lambda: on_server() == "two")
        there.keeper.write(local.local_id, TEA, "four")
        await until(lambda: there.local()[0].synced == "four")
        for event in late:
            there.script.events(event)
        await until(lambda: on_server() == "four")
        assert [draft.content for draft in there.local()] == ["four"]
        assert there.script.asked("POST /drafts") == []


async def test_a_draft_deleted_elsewhere_goes_here(tmp_path: Path) -> None:
    """Sent from the phone, it does not lie around here."""
    async with client(tmp_path, eg.draft(3, content="hel")) as there:
        there.keeper.open(there.theirs[DraftId(3)])
        there.theirs.clear()
        there.script.events(eg.event(DraftsRemoveEvent, 50, draft_id=DraftId(3)))
        await until(lambda: not there.local())
        assert not there.disk.load()


async def test_what_is_sent_leaves_the_other_clients_without_a_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its words would stay in their composers: the server deletes it, and they drop it, at once."""
    async with client(tmp_path, eg.draft(7, content="hello"), eg.draft(8, content="tea")) as there:
        for theirs in there.theirs.values():
            there.keeper.open(theirs)
        await until(lambda: there.keeper._owns and not there.keeper._work.is_set())
        never = asyncio.Event()

        async def sleep(_seconds: float) -> None:
            await never.wait()

        monkeypatch.setattr(there.keeper, "_environment", Environment(sleep=sleep))
        first, second = there.local()
        there.keeper.discard(first.local_id)
        await until(lambda: len(there.theirs) == 1)
        there.keeper.discard(second.local_id)
        await until(lambda: not there.theirs)


async def test_a_draft_that_another_client_sent_goes_without_a_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was changed here since stays."""
    async with client(tmp_path, eg.draft(7, content="hello"), eg.draft(8, content="tea")) as there:
        drafts = [there.keeper.open(draft) for draft in there.theirs.values()]
        await until(lambda: there.keeper._owns and not there.keeper._work.is_set())

        async def reconcile() -> None:
            """Do what comes after the pause: nothing yet."""

        monkeypatch.setattr(there.keeper, "reconcile", reconcile)
        there.keeper.write(drafts[1].local_id, TEA, "tea for two")
        for draft_id in (7, 8):
            there.script.events(there._event(DraftsRemoveEvent, draft_id=DraftId(draft_id)))
        await until(lambda: not there.sync.store.drafts.by_id)
        assert [draft.content for draft in there.local()] == ["tea for two"]


async def test_a_discarded_draft_goes_everywhere_even_after_a_restart(tmp_path: Path) -> None:
    """Thrown away without a network, it is deleted on the server as soon as there is one."""
    disk = DraftFile(Database(tmp_path / "account.db"))
    disk.note_deletion(DraftId(3))
    async with client(tmp_path, eg.draft(3, content="hel")) as there:
        await until(lambda: not there.theirs)
        await until(lambda: not there.disk.deletions())


async def test_an_emptied_composer_leaves_no_draft(tmp_path: Path) -> None:
    """Deleting all the text deletes the draft."""
    async with client(tmp_path) as there:
        local_id = there.keeper.write(None, TEA, "hello")
        await until(lambda: bool(there.theirs) and there.local()[0].draft_id is not None)
        assert there.keeper.write(local_id, TEA, "  ") is None
        await until(lambda: not there.theirs)


async def test_without_synchronization_drafts_stay_here(tmp_path: Path) -> None:
    """Who switched it off has drafts on this machine only."""
    settings = eg.user_settings(enable_drafts_synchronization=False)
    async with client(tmp_path) as there:
        there.sync.store.settings = settings
        there.keeper.write(None, TEA, "hello")
        await there.keeper.reconcile()
        assert not there.script.asked("POST /drafts")


async def test_drafts_of_the_last_run_are_there(tmp_path: Path) -> None:
    """What was half written yesterday is in the composer today, network or not."""
    DraftFile(Database(tmp_path / "account.db")).put(
        LocalDraft(
            local_id=LocalDraftId("old"),
            destination=TEA,
            content="half",
            updated=1.0,
            draft_id=None,
            synced=None,
        ),
        otherwise=LocalDraftId("x"),
    )
    async with client(tmp_path) as there:
        await until(lambda: [d.content for d in there.local()] == ["half"])


async def test_a_draft_goes_where_its_topic_goes(tmp_path: Path) -> None:
    """What was begun for a topic is not sent to the name that the topic had: neither from here nor
    from the phone, where the server's copies say where they go."""
    phone = eg.draft(5, content="from the phone", to=(9,), topic="greetings")
    async with client(tmp_path, phone) as there:
        there.keeper.write(None, TEA, "hello")
        await until(lambda: [draft.synced for draft in there.local()] == ["hello"])
        moved = eg.event(
            UpdateMessageEvent,
            next(there.numbers),
            message_id=MessageId(50),
            message_ids=(MessageId(50),),
            channel_id=ChannelId(9),
            orig_topic="Greetings",
            topic="✔ greetings",
            propagate_mode="change_all",
        )
        there.script.events(moved)
        await until(lambda: {d.topic for d in there.theirs.values()} == {"✔ greetings"})
        (draft,) = there.local()
        assert draft.destination == replace(TEA, topic="✔ greetings")
        assert {d.content for d in there.theirs.values()} == {"hello", "from the phone"}
        there.keeper.write(draft.local_id, draft.destination, "hello all")
        await until(lambda: any(d.content == "hello all" for d in there.theirs.values()))


async def test_what_is_too_long_for_the_server_stays_here(tmp_path: Path) -> None:
    """Servers cut such drafts short, and their echo would take the end of what one wrote."""
    async with client(tmp_path) as there:
        longest = there.sync.store.realm.limits.max_message_length
        local_id = there.keeper.write(None, TEA, "x" * longest)
        await until(lambda: bool(there.theirs) and there.local()[0].synced == "x" * longest)
        there.keeper.write(local_id, TEA, "x" * longest + "yz")
        await there.keeper.reconcile()
        assert [len(d.content) for d in there.theirs.values()] == [longest]
        assert [len(d.content) for d in there.local()] == [longest + 2]


@pytest.mark.parametrize("ids", [[], [71, 72]])
async def test_an_answer_with_other_ids_is_no_bug(tmp_path: Path, ids: list[int]) -> None:
    """A server that answers with no id, or with two, cannot be read; the draft stays here."""
    async with client(tmp_path) as there:
        there.script.on("POST /drafts", lambda _: success(ids=ids))
        there.keeper.write(None, TEA, "kept")
        with pytest.raises(MalformedResponse):
            await there.keeper.reconcile()
        assert [d.content for d in there.local()] == ["kept"]


async def test_a_draft_that_the_disk_does_not_take_is_kept_in_memory(
    tmp_path: Path, bugs: Bugs
) -> None:
    """What I type while the disk is full is there when I come back to it, and on disk with room again."""
    client = DraftClient(tmp_path)
    first = client.keeper.write(None, TEA, "on disk")
    connection = client.disk._database._connection
    connection.execute("PRAGMA query_only = 1")
    assert client.keeper.write(first, TEA, "in memory") == first
    other = client.keeper.write(None, None, "as well")
    client.keeper.load()
    assert {draft.content for draft in client.keeper._drafts.values()} == {"in memory", "as well"}
    with pytest.raises(ConfigError, match="kept in memory only"):
        client.keeper.look()
    connection.execute("PRAGMA query_only = 0")
    client.keeper.look()
    kept = {draft.local_id: draft.content for draft in client.disk.load()}
    assert kept == {first: "in memory", other: "as well"}
    assert len(bugs.take()) == 2


def test_two_windows_that_move_a_draft_make_no_second_one(tmp_path: Path) -> None:
    """Both hear that the topic moved, and both bring the same words to the same place."""
    windows = [DraftFile(Database(tmp_path / "account.db")) for _ in range(2)]
    draft = LocalDraft(
        local_id=LocalDraftId("one"),
        destination=TEA,
        content="hello",
        updated=1.0,
        draft_id=None,
        synced=None,
    )
    windows[0].put(draft, otherwise=LocalDraftId("other"))
    windows[1].load()
    moved = replace(draft, destination=replace(TEA, topic="✔ greetings"))
    for window in windows:
        assert window.put(moved, otherwise=LocalDraftId("other")).local_id == "one"
    assert windows[0].load() == [moved]
    windows[1].put(replace(moved, content="hello all"), otherwise=LocalDraftId("other"))
    assert [each.content for each in windows[0].load()] == ["hello all"]


async def test_a_draft_that_a_restored_server_lacks_is_given_to_it_again(tmp_path: Path) -> None:
    """A server that forgot my draft says nothing about it; what I have here may be the only copy."""
    async with client(tmp_path) as there:
        there.keeper.write(None, TEA, "half a thought")
        await until(lambda: [d.synced for d in there.local()] == ["half a thought"])
        there.theirs.clear()
        there.script.snapshot = eg.snapshot(channels=[eg.subscription(9)])
        there.script.fail(refusal("BAD_EVENT_QUEUE_ID"))
        await until(lambda: [d.content for d in there.theirs.values()] == ["half a thought"])
        assert [d.content for d in there.local()] == ["half a thought"]
        assert [d.content for d in there.disk.load()] == ["half a thought"]
