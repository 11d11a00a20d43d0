"""Stories against a full server: what it does otherwise, or cannot do, loses nothing and is explained."""

import importlib
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from textual.widgets import Input

from tests.e2e.client import AppDriver, playing
from tests.e2e.dialogs import actions, fill, form, page, refused, save
from tests.e2e.messages import say
from tests.e2e.shell import Shell
from tests.e2e.team import KETTLE, answered, asked, contents, team
from tests.far import Way
from tests.full_server import FullServer, full_server
from tests.live import Live, Person, live, until
from tui.accounts import Account, write_zuliprc
from tui.api.model import UserGroupId, UserId
from tui.commands import bots, channels, user_groups
from tui.config import Settings
from tui.narrow import AllMessages, ChannelNarrow, DmNarrow, Search, Term, TopicNarrow
from tui.screens.account_controller import AccountController
from tui.screens.channels.new import make_and_open
from tui.screens.organization.administration import offered
from tui.screens.page import Page
from tui.screens.palette import choices
from tui.view.rows import MessageRow


@pytest.fixture
async def server(tmp_path: Path, way: Way) -> AsyncIterator[Live]:
    """The one behind it, which is ours in every way that these stories are played."""
    (tmp_path / "server").mkdir()
    async with live(tmp_path / "server", way=replace(way, level=None)) as ours:
        yield ours


@pytest.fixture
async def old(server: Live, way: Way) -> AsyncIterator[FullServer]:
    """A full server of feature level 218."""
    async with full_server(server, level=218, way=way) as full:
        yield full


async def _pause(player: AppDriver, person: Person) -> None:
    """The pause after which a draft is kept, until its echo came."""
    text = player.screen.panes.composer.text
    player.screen.account.keep_draft()
    drafts = player.screen.account.session.store.drafts

    async def is_kept() -> bool:
        said = [each["content"] for each in (await person.get("drafts"))["drafts"]]
        echoed = [each.content for each in drafts.by_id.values()]
        ours = [(each.synced, each.asked) for each in drafts.local.values()]
        return said == echoed == [text.strip()] and ours == [(text, None)]

    await until(is_kept)
    await player.pilot.pause()


async def test_what_is_typed_stays_as_it_is(
    old: FullServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server strips drafts of white space: its echo takes nothing from the words one goes on with."""
    monkeypatch.setattr("tui.commands.drafts.PAUSE_SECONDS", 0.01)
    ann, ben, tea = await team(old)
    async with playing(old, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.composer.focus()
        await a.press(*"hello", "space")
        await _pause(a, ann)
        await a.press(*"world", "ctrl+j")
        await _pause(a, ann)
        assert a.screen.panes.composer.text == "hello world\n"
        await a.press(*"milk")
        await _pause(a, ann)
        await a.press("enter")
        await until(lambda: a.texts == [KETTLE, "hello world\nmilk"])

        async def no_draft_is_left() -> bool:
            return not (await ann.get("drafts"))["drafts"]

        await until(no_draft_is_left)
        await a.press("escape", "k", "k", "greater_than_sign")
        await until(lambda: KETTLE in a.screen.panes.composer.text)
        await _pause(a, ann)
        await a.press(*"mine")
        await _pause(a, ann)
        await a.press("enter")

        async def quote_and_words_are_sent() -> bool:
            return (await contents(ben, tea.channel_id, "tea"))[-1].endswith("\n```\n\nmine")

        await until(quote_and_words_are_sent)


def _told(player: AppDriver, words: str) -> bool:
    return any(words in each.message for each in player.app._notifications)


async def _new_channel(player: AppDriver, name: str) -> None:
    player.screen.account.run(partial(make_and_open, player.screen.account, name))
    await form(player)
    await fill(player, "description", "where it is cool")


async def test_a_channel_is_made(old: FullServer, tmp_path: Path) -> None:
    """By subscribing to it, as it was done then; a name that is taken joins nobody to anything."""
    ann, ben, _ = await team(old)
    async with playing(old, ann, tmp_path) as a:
        await _new_channel(a, "cellar")
        await save(a)
        await until(lambda: a.count("cellar") == 0)
        await _new_channel(a, "Design")
        assert "already a channel called “Design”" in await refused(a)
        streams = (await ben.get("streams"))["streams"]
        (made,) = [each for each in streams if each["name"] == "cellar"]
        assert made["description"] == "where it is cool"
    assert "GET /get_stream_id 400" not in old.refused


async def test_the_inbox_quotes_and_a_day_is_found(old: FullServer, tmp_path: Path) -> None:
    """Messages come one by one, and a day is looked for by halves: nothing is refused by the server."""
    ann, ben, _ = await team(old)
    first = (await ann.get("messages", anchor="oldest", num_before=0, num_after=1))["messages"][0]
    for drop in range(120):
        await say(ben, f"drip {drop}", topic="tap")
    await say(ben, "who brings milk?", topic="milk")
    async with playing(old, ann, tmp_path, settings=Settings(mark_read=False)) as a:
        a.screen.panes.messages.focus()
        await a.press("f4")
        await until(lambda: any(row.line == "drip 0" for row in a.screen.panes.overview.items))
        await a.go(AllMessages())
        await a.press("g", "d")
        await asked(a)
        a.app.screen.query_one(Input).value = "yesterday"
        await a.press("enter")
        await answered(a)

        def at() -> int:
            row = a.screen.panes.messages.selected
            return row.message_id if isinstance(row, MessageRow) else -1

        await until(lambda: at() == first["id"])
    assert old.refused == []


async def test_what_it_lacks_is_not_offered_and_explained(old: FullServer, tmp_path: Path) -> None:
    """By key one hears which server has it; the palette leaves it out; nothing is asked in vain."""
    ann, _, tea = await team(old)
    async with playing(old, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.messages.focus()
        await a.press("l")
        await until(lambda: _told(a, "Reminders need Zulip 11 or later, or Chinwag."))
        await a.press("K")
        await until(lambda: _told(a, "Saved views need Zulip 11 or later, or Chinwag."))
        await a.press("alt+i")
        await until(lambda: _told(a, "Snippets need Zulip 10 or later, or Chinwag."))
        labels = {each.label for each in choices(a.app, {}, in_account=True)}
        assert {"Search", "Message: Star", "Send later"} <= labels
        gone = {"Snippets", "Keep view", "Message: Remind", "Saved searches", "Channel folders"}
        assert not gone & labels
        a.screen.account.go(Search((Term("is", "followed"),)))
        await until(lambda: "“is:followed” needs Zulip 9" in a.screen.panes.messages._empty)
    assert old.refused == []


async def test_calls_and_links_are_those_of_its_time(old: FullServer, tmp_path: Path) -> None:
    """A call is a room at the server's own Jitsi; a quote's link is whole, and of the old form."""
    ann, _, tea = await team(old)
    async with playing(old, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.composer.focus()
        await a.press("alt+v")
        await until(lambda: "(https://meet.example/" in a.screen.panes.composer.text)
        a.screen.panes.composer.load_text("")
        await a.press("escape", "k", "greater_than_sign")
        await until(lambda: KETTLE in a.screen.panes.composer.text)
        assert f"[said]({old.url}/#narrow/stream/{tea.channel_id}-" in a.screen.panes.composer.text


async def test_what_was_moved_is_not_edited_and_what_one_said_is_read(
    old: FullServer, tmp_path: Path
) -> None:
    """The time of a move is not shown as that of an edit; one's own words are never unread."""
    ann, ben, tea = await team(old)
    moved = await say(ben, "the cup broke", topic="cups")
    edited = await say(ben, "it did", topic="cups")
    await ben.patch(f"messages/{edited}", content="it really did")
    await ann.patch(f"messages/{moved}", topic="✔ cups", propagate_mode="change_all")
    async with playing(old, ann, tmp_path) as a:
        await a.go(TopicNarrow(tea.channel_id, "✔ cups"))
        marks = {row.message_id: row.marks for row in a.rows}
        assert "edited" not in marks[moved]
        assert "edited" in marks[edited]
        await a.go(tea)
        unread = a.screen.account.session.store.unreads
        await until(lambda: not unread.ids(tea))
        seen: list[int] = []
        receive = unread.receive
        unread.receive = lambda m: (receive(m), seen.append(len(unread.ids(tea))))  # type: ignore[assignment, return-value, func-returns-value]  # every state is looked at
        a.screen.panes.composer.load_text("so it is")
        a.screen.panes.composer.focus()
        await a.press("enter")
        await until(lambda: a.texts[-1] == "so it is" and bool(seen))
        assert seen[-1] == 0

        async def is_read() -> bool:
            last = await ann.get("messages", anchor="newest", num_before=1, num_after=0)
            return "read" in last["messages"][-1]["flags"]

        await until(is_read)


async def test_groups_are_deleted_and_channels_say_their_address(
    old: FullServer, tmp_path: Path
) -> None:
    """What newer servers do otherwise: closing a group, telling where mail to a channel goes."""
    ann, ben, tea = await team(old)
    await ann.post("user_groups/create", name="brewers", description="", members=[ben.id])
    await ann.post("user_groups/create", name="tasters", description="", members=[ben.id])
    groups = {each["name"]: each["id"] for each in (await ann.get("user_groups"))["user_groups"]}
    async with playing(old, ann, tmp_path) as a:
        sync, known = a.screen.account.session.sync, a.screen.account.session.store.groups
        assert "show-sender" in await channels.email_address(sync, tea.channel_id)
        brewers = UserGroupId(groups["brewers"])
        tasters = UserGroupId(groups["tasters"])
        await user_groups.change_members(sync, brewers, add={UserId(ann.id)}, add_groups={tasters})
        await until(lambda: known.by_id[brewers].direct_subgroup_ids == {tasters})
        assert known.by_id[brewers].members == {ann.id, ben.id}
        await user_groups.deactivate(sync, brewers)
        await until(lambda: brewers not in known.by_id)
        await user_groups.create(
            sync, name="cooks", description="", members=set(), subgroups={tasters}
        )
        await until(
            lambda: {tasters} in [each.direct_subgroup_ids for each in known.by_id.values()]
        )


def _pages(account: AccountController) -> Iterator[Page]:
    """Every page that is offered, without drawing it."""
    for entry in offered(account):
        module = importlib.import_module(f"tui.screens.organization.{entry.name}")
        for kind in vars(module).values():
            is_page = isinstance(kind, type) and issubclass(kind, Page)
            if is_page and kind.__module__ == module.__name__:
                with suppress(TypeError):  # pages about one thing are opened from those of all
                    yield kind(account)


async def test_every_page_and_card_opens(old: FullServer, tmp_path: Path) -> None:
    """Nothing that is offered is refused because the server is older, or shows a refused path."""
    ann, ben, tea = await team(old)
    async with playing(old, ann, tmp_path) as a:
        await a.go(tea)
        main = a.screen
        for page in _pages(main.account):
            await page.load()
            for row in page.rows()[:3]:
                page.actions(row.key)
        for about in (ChannelNarrow(tea.channel_id), DmNarrow(frozenset({UserId(ben.id)}))):
            main.account.run(partial(main.account.place_actions.show_info, about))
            await until(lambda: a.app.screen is not main)
            await a.pilot.pause()
            await a.press("right", "right", "right", "escape")
            await until(lambda: a.app.screen is main)
        main.panes.messages.focus()
        await a.press("k", "i")
        await until(lambda: a.app.screen is not main)
        await a.press("right", "right", "right", "right", "escape")
        await until(lambda: a.app.screen is main)
        for key in ("f4", "alt+t", "f10", "escape"):
            await a.press(key)
            await a.pilot.pause()
        if a.app.screen is not main:
            await a.press("escape")
    assert old.refused == []


async def test_scripts_are_told_what_an_old_server_ignores_or_lacks(
    old: FullServer, shell: Shell
) -> None:
    """A key is no promise there; what was sent is read all the same; the rest has one sentence."""
    write_zuliprc(shell.zuliprc, Account(site=old.url, email=shell.ann.email, key=shell.ann.key))
    code, out, err = await shell.run("send", "--to", "design>tea", "--key", "k", "hello")
    assert (code, err.count("\n")) == (0, 1)
    assert "ignores --key" in err
    sent = (await shell.ann.get(f"messages/{out.strip()}"))["message"]
    assert "read" in sent["flags"]
    assert "Saved views need Zulip 11 or later" in await shell.refuses("kept", "views")
    assert "“is:followed” needs Zulip 9" in await shell.refuses("search", "is:followed")
    assert "show-sender" in await shell.says("channels", "design", "--email")


async def test_the_key_of_a_bot_is_shown_and_members_add_emoji(
    old: FullServer, tmp_path: Path
) -> None:
    """The key is in the list of one's bots there, and a number says who may do what."""
    _, ben, _ = await team(old)
    made = await ben.post("bots", full_name="Echo", short_name="echo")
    async with playing(old, ben, tmp_path) as b:
        key = await bots.key(b.screen.account.session.sync, UserId(made["user_id"]))
        assert key == made["api_key"]
        await page(b, "custom_emoji")
        assert "new" in actions(b)
