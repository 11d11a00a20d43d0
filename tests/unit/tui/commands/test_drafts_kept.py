"""Drafts: words written while requests are on their way, or that the server has in an earlier version, are kept."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from tests import eg
from tests.unit.tui.commands.test_drafts import TEA, DraftClient, client
from tests.unit.tui.sync.script import Reply, Request, refusal, success, until
from tui.api.events import BaseEvent, DraftsAddEvent, DraftsRemoveEvent, UpdateMessageEvent
from tui.api.model import ChannelId, Draft, DraftId, MessageId
from tui.commands.draft_identity import Difference, compare
from tui.store.drafts import LocalDraft, LocalDraftId

ANYTHING = 300
"""Turns of the loop in which everything that follows has happened."""


def _held(
    there: DraftClient, draft_id: int, gate: asyncio.Event
) -> Callable[[Request], Awaitable[Reply]]:
    """Return the handler of an edit whose answer waits for the gate."""
    usual = there.script.handlers[f"PATCH /drafts/{draft_id}"]

    async def edit(request: Request) -> Reply:
        reply = usual(request)
        assert isinstance(reply, httpx.Response)
        await gate.wait()
        return reply

    return edit


@pytest.mark.parametrize("end", ["removed", "changed"])
async def test_a_draft_that_grows_while_another_one_is_saved_keeps_its_words(
    tmp_path: Path, end: str
) -> None:
    """It is compared as it is by then, not as it was before that request."""
    async with client(tmp_path, eg.draft(3, content="one"), eg.draft(4, content="two")) as there:
        first, second = map(there.keeper.open, there.theirs.values())
        await until(lambda: there.keeper._owns and not there.keeper._work.is_set())
        gate = asyncio.Event()
        there.script.on("PATCH /drafts/3", _held(there, 3, gate))
        there.keeper.write(first.local_id, TEA, "one more")
        await until(lambda: there.script.asked("PATCH /drafts/3") != [])
        there.keeper.write(second.local_id, TEA, "two, written on")
        if end == "removed":
            del there.theirs[DraftId(4)]
            there.script.events(there._event(DraftsRemoveEvent, draft_id=DraftId(4)))
        else:
            there.tell(content="two of the phone", draft_id=4)
        seen = there.sync.store.drafts
        await until(lambda: seen.get(DraftId(4)) == there.theirs.get(DraftId(4)))
        gate.set()
        await until(lambda: any(d.content == "two, written on" for d in there.theirs.values()))
        assert "two, written on" in [draft.content for draft in there.disk.load()]


async def test_a_refused_draft_holds_no_other_one_up_and_is_not_sent_again_and_again(
    tmp_path: Path,
) -> None:
    """The channel was left: the draft stays here, the others get to my other machines."""
    gone = replace(TEA, channel_id=ChannelId(10))
    async with client(tmp_path) as there:

        def create(request: Request) -> httpx.Response:
            (fields,) = json.loads(request.parameters["drafts"])
            return refusal("BAD_REQUEST") if fields["to"] == [10] else there._create(request)

        def refused() -> int:
            asked = there.script.asked("POST /drafts")
            return sum('"to":[10]' in each.parameters["drafts"].replace(" ", "") for each in asked)

        there.script.on("POST /drafts", create)
        local_id = there.keeper.write(None, gone, "to the attic")
        there.keeper.write(None, TEA, "hello")
        await until(lambda: [draft.content for draft in there.theirs.values()] == ["hello"])
        for _ in range(ANYTHING):
            await asyncio.sleep(0)
        assert refused() == 1
        there.keeper.write(local_id, gone, "to the attic, please")
        await until(lambda: refused() == 2)
        there.script.fail(refusal("BAD_EVENT_QUEUE_ID"))
        await until(lambda: refused() == 3)
        assert "to the attic, please" in [draft.content for draft in there.local()]


async def test_a_moved_draft_keeps_the_words_whose_event_is_late(tmp_path: Path) -> None:
    """It goes along with its topic as the server has it, not as it was known here."""
    async with client(tmp_path, eg.draft(3, content="one")) as there:

        def edit(request: Request) -> Reply:
            fields = json.loads(request.parameters["draft"])
            there.theirs[DraftId(3)] = replace(
                there.theirs[DraftId(3)], content=fields["content"], topic=fields["topic"]
            )
            return success()  # its event is on its way

        there.script.on("PATCH /drafts/3", edit)
        local = there.keeper.open(there.theirs[DraftId(3)])
        there.keeper.write(local.local_id, TEA, "one, and two")
        await until(lambda: there.local()[0].synced == "one, and two")
        moved = there._event(
            UpdateMessageEvent,
            message_id=MessageId(50),
            message_ids=(MessageId(50),),
            channel_id=ChannelId(9),
            orig_topic="greetings",
            topic="welcome",
            propagate_mode="change_all",
        )
        there.script.events(moved)
        await until(lambda: there.theirs[DraftId(3)].topic == "welcome")
        assert there.theirs[DraftId(3)].content == "one, and two"


async def test_what_is_written_after_the_draft_was_deleted_elsewhere_reaches_the_server(
    tmp_path: Path,
) -> None:
    """It was created and deleted before the answer came: no event of it is waited for."""
    async with client(tmp_path) as there:
        news = asyncio.Event()

        async def create(request: Request) -> Reply:
            there.script.on("POST /drafts", there._create)
            (fields,) = json.loads(request.parameters["drafts"])
            draft = eg.draft(60, content=fields["content"], timestamp=fields["timestamp"])
            created: BaseEvent = there._event(DraftsAddEvent, drafts=(draft,))
            there.script.events(created, there._event(DraftsRemoveEvent, draft_id=draft.id))
            await until(lambda: DraftId(60) in there.keeper._removed)
            there.keeper.write(there.local()[0].local_id, TEA, "half a thought, and more")
            news.set()
            return success(ids=[60])

        there.script.on("POST /drafts", create)
        there.keeper.write(None, TEA, "half a thought")
        await news.wait()
        await until(
            lambda: [d.content for d in there.theirs.values()] == ["half a thought, and more"]
        )


async def test_a_draft_that_is_created_again_is_another_request(tmp_path: Path) -> None:
    """With the first key the server would answer with the ID of the draft that it does not have."""
    async with client(tmp_path) as there:
        there.keeper.write(None, TEA, "half a thought")
        await until(lambda: [d.synced for d in there.local()] == ["half a thought"])
        there.theirs.clear()
        there.script.fail(refusal("BAD_EVENT_QUEUE_ID"))
        await until(lambda: [d.content for d in there.theirs.values()] == ["half a thought"])
        first, second = (each.key for each in there.script.asked("POST /drafts"))
        assert first != second


@pytest.mark.parametrize(
    ("theirs", "timestamp", "difference"),
    [
        ("half", 90, "changed here"),
        ("half a thought of mine, at last", 90, "changed there"),
        ("other words", 90, "changed on both"),
        ("other words", 100, "changed there"),
        ("half", 110, "changed there"),
    ],
)
def test_an_earlier_text_of_the_server_takes_no_words(
    theirs: str, timestamp: int, difference: Difference
) -> None:
    """A backup was restored: what it lacks was not deleted by another client. Clocks may differ, too."""
    here = LocalDraft(
        local_id=LocalDraftId("one"),
        destination=TEA,
        content="half a thought of mine",
        updated=100.5,
        draft_id=DraftId(3),
        synced="half a thought of mine",
    )
    there: Draft = eg.draft(3, content=theirs, timestamp=timestamp)
    assert compare(here, there, [], 0.0) == difference


def test_what_another_machine_saved_when_this_one_did_replaces_nothing() -> None:
    """The words are old, but were saved only now, since this machine was offline."""
    here = LocalDraft(
        local_id=LocalDraftId("one"),
        destination=TEA,
        content="from my laptop",
        updated=100.0,
        draft_id=DraftId(3),
        synced="from my laptop",
    )
    there: Draft = eg.draft(3, content="from my desk", timestamp=500)
    assert compare(here, there, ["from my laptop"], 499.0) == "changed on both"
    assert compare(here, there, ["from my laptop"], 400.0) == "changed there"


async def _as_of_another_machine(there: DraftClient, content: str) -> None:
    """Let another machine write in draft 3, without the event that says so."""
    there.theirs[DraftId(3)] = replace(there.theirs[DraftId(3)], content=content, timestamp=900)


async def test_what_is_sent_while_another_machine_wrote_on_takes_no_words_of_it(
    tmp_path: Path,
) -> None:
    """My laptop slept, or was offline: it sends what it had, and what I wrote at the desk since stays a draft."""
    async with client(tmp_path, eg.draft(3, content="half")) as there:
        local = there.keeper.open(there.theirs[DraftId(3)])
        await _as_of_another_machine(there, "half a thought")
        there.keeper.discard(local.local_id)
        await until(lambda: not there.disk.deletions())
        assert [draft.content for draft in there.theirs.values()] == ["half a thought"]
        assert there.sync.store.drafts.only_on_server() == []
        there.tell(content="half a thought", draft_id=3)
        seen = there.sync.store.drafts
        await until(lambda: [d.content for d in seen.only_on_server()] == ["half a thought"])


async def test_what_is_written_while_events_are_late_replaces_no_words_of_another_machine(
    tmp_path: Path,
) -> None:
    """Both are drafts then, once the event is there."""
    async with client(tmp_path, eg.draft(3, content="half")) as there:
        local = there.keeper.open(there.theirs[DraftId(3)])
        await _as_of_another_machine(there, "half a thought")
        there.keeper.write(local.local_id, TEA, "half, from my laptop")
        await until(lambda: there.script.asked("GET /drafts") != [])
        for _ in range(ANYTHING):
            await asyncio.sleep(0)
        assert there.theirs[DraftId(3)].content == "half a thought"
        there.tell(content="half a thought", draft_id=3)
        await until(lambda: len(there.theirs) == 2)
        assert sorted(draft.content for draft in there.theirs.values()) == [
            "half a thought",
            "half, from my laptop",
        ]


async def test_a_draft_that_was_saved_just_now_is_not_asked_for(tmp_path: Path) -> None:
    """Who writes on, and sends, waits for no other request."""
    async with client(tmp_path) as there:
        local_id = there.keeper.write(None, TEA, "hel")
        assert local_id is not None
        await until(lambda: there.local()[0].synced == "hel")
        there.keeper.write(local_id, TEA, "hello")
        await until(lambda: there.local()[0].synced == "hello")
        there.keeper.discard(local_id)
        await until(lambda: not there.theirs)
        assert there.script.asked("GET /drafts") == []


async def test_words_that_were_saved_just_before_another_machine_deleted_the_draft_are_kept(
    tmp_path: Path,
) -> None:
    """It cannot have seen them: they are a draft again, as if the server had lost it."""
    async with client(tmp_path) as there:
        there.keeper.write(None, TEA, "half a thought")
        await until(lambda: [d.synced for d in there.local()] == ["half a thought"])
        (draft_id,) = there.theirs
        there.theirs.clear()
        there.script.events(there._event(DraftsRemoveEvent, draft_id=draft_id))
        await until(lambda: draft_id not in there.sync.store.drafts.by_id)
        await until(lambda: [d.content for d in there.theirs.values()] == ["half a thought"])
        assert [d.content for d in there.disk.load()] == ["half a thought"]
