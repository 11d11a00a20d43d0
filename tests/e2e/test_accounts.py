"""Several organizations in one window: all of them live, one of them shown, none forgotten."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.screen import Screen
from textual.widgets import Static, TabbedContent

from server_lite.store.users import Role
from tests.e2e.client import AppDriver, folders
from tests.live import Live, Person, live, until
from tui import accounts
from tui.accounts import Account, write_zuliprc
from tui.api.model import UserId
from tui.app import ChinwagApp
from tui.config import Settings
from tui.narrow import DmNarrow
from tui.screens import alerts
from tui.screens.accounts.all_unreads import Everywhere
from tui.screens.accounts.sign_in import SignInScreen
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.question import Question


@pytest.fixture
async def servers(tmp_path: Path) -> AsyncIterator[tuple[Live, Live]]:
    async with AsyncExitStack() as stack:
        running = []
        for name in ("acme", "beta"):
            (tmp_path / name).mkdir()
            running.append(await stack.enter_async_context(live(tmp_path / name)))
        yield running[0], running[1]


@asynccontextmanager
async def with_accounts(
    folder: Path, *people: tuple[Live, Person], settings: Settings | None = None, last: int = 0
) -> AsyncIterator[AppDriver]:
    """An app in which these people's accounts were added; `last` was used last, and is shown."""
    here = folders(folder, "home")
    paths = []
    for server, person in people:
        account = Account(site=server.url, email=person.email, key=person.key)
        path = accounts.path_for(here, account)
        write_zuliprc(path, account)
        accounts.add(here, path)
        paths.append(path)
    app = ChinwagApp(
        folders=here,
        settings=settings or Settings(mark_read=False),
        zuliprc=paths[last],
        others=[path for path in paths if path != paths[last]],
        narrow="is:starred",
    )
    async with app.run_test(size=(110, 32)) as pilot:
        player = AppDriver(app, pilot)
        await until(lambda: len(app.accounts.all) == len(people))
        await until(lambda: all(each.line.is_live for each in app.accounts.all))
        await pilot.pause()
        yield player


def top(player: AppDriver) -> Screen[Any]:
    """The screen that gets the keys."""
    return player.app.screen


def shown(player: AppDriver) -> str:
    """The address of the account on screen."""
    account = player.app.accounts.shown
    return "" if account is None else account.credentials.email


async def test_what_is_unread_is_read_through_all_organizations(
    servers: tuple[Live, Live], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two servers: counts of both, `n` goes on to the other, Alt+1 back, one inbox of both."""
    acme, beta = servers
    ann = await acme.person("Ann", role=Role.OWNER)
    ben = await acme.person("Ben")
    anna = await beta.person("Anna", role=Role.OWNER)
    cleo = await beta.person("Cleo")
    await ann.patch("realm", name="Acme")
    await anna.patch("realm", name="Beta")
    heard: list[str] = []
    monkeypatch.setattr(alerts, "write", lambda _, sequence: heard.append(sequence))
    async with with_accounts(tmp_path, (acme, ann), (beta, anna)) as a:
        first, second = a.app.accounts.all
        await until(
            lambda: first.screen.panes.organization.text.split() == ["▌1", "Acme", "2", "Beta"]
        )
        await ben.post("messages", type="direct", to=[ann.id], content="lunch?")
        await cleo.post("messages", type="direct", to=[anna.id], content="tea?")
        await until(lambda: (first.line.count, second.line.count) == (1, 1))
        await until(lambda: "\x1b]2;(2) Acme\x1b\\" in heard)
        told = [each.message for each in a.app._notifications]
        assert told == ["tea?"]  # the other message is on screen, as a count

        await a.press("n")
        lunch = DmNarrow(frozenset({UserId(ann.id), UserId(ben.id)}))
        await until(lambda: a.screen.account.open_narrow.is_shown(lunch))
        assert a.texts == ["lunch?"]
        await a.press("n")
        await until(lambda: shown(a) == anna.email)
        await until(lambda: a.texts == ["tea?"])
        assert any(
            each.message == "Acme is all read. Now in Beta." for each in a.app._notifications
        )
        assert accounts.last_used(a.app.folders) == second.path

        await a.pilot.click(second.screen.panes.organization, offset=(4, 0))
        await until(lambda: shown(a) == ann.email)
        assert a.texts == ["lunch?"]
        await a.press("alt+n")
        await until(lambda: isinstance(top(a), Everywhere) and top(a).is_mounted)
        await a.pilot.pause()
        await a.press("down", "enter")
        await until(lambda: shown(a) == anna.email)
        assert a.screen.account.open_narrow.narrow == DmNarrow(
            frozenset({UserId(anna.id), UserId(cleo.id)})
        )


async def test_accounts_of_one_server_keep_apart(
    servers: tuple[Live, Live], tmp_path: Path
) -> None:
    """Dialogs, and what is seen, belong to their account; leaving keeps what is written in any."""
    acme, _ = servers
    ann = await acme.person("Ann", role=Role.OWNER)
    bot = await acme.person("Robin")
    both = DmNarrow(frozenset({UserId(ann.id), UserId(bot.id)}))
    async with with_accounts(tmp_path, (acme, ann), (acme, bot), settings=Settings()) as a:
        first, second = a.app.accounts.all
        second.screen.account.go(both)
        await until(lambda: second.screen.account.open_narrow.is_shown(both))
        await ann.post("messages", type="direct", to=[bot.id], content="beep?")
        await until(lambda: second.line.count == 1)
        await a.press("ctrl+k")
        await until(lambda: isinstance(top(a), Chooser))
        asking = top(a)
        assert second.line.count == 1  # it is open there, and nobody saw it
        await a.press("alt+2")
        assert top(a) is second.screen
        await until(lambda: second.line.count == 0)  # now it is seen
        await a.press("alt+1")
        assert top(a) is asking
        await a.press("alt+2")
        asking.dismiss(None)  # as a form does whose server answers late
        assert top(a) is second.screen
        await a.press("alt+1")
        await until(lambda: top(a) is first.screen)

        second.screen.panes.composer.load_text("bleep")
        drafts = second.screen.account.session.store.drafts.local
        await a.app.action_quit()
        assert [draft.content for draft in drafts.values()] == ["bleep"]


async def test_signing_in_to_another_and_out_of_one(
    servers: tuple[Live, Live], tmp_path: Path
) -> None:
    """The sign-in screen is left by Esc; who signs out of one stays signed in to the other."""
    acme, _ = servers
    ann, bot = await acme.person("Ann"), await acme.person("Robin")
    async with with_accounts(tmp_path, (acme, ann), (acme, bot), last=1) as a:
        first, second = a.app.accounts.all
        assert (shown(a), second.credentials.email) == (bot.email, bot.email)
        await a.press("alt+1")
        await a.press("alt+0")
        await until(lambda: isinstance(top(a), Chooser))
        await a.press(*"add", "enter")
        await until(lambda: isinstance(top(a), SignInScreen))
        await a.press("alt+2")
        assert isinstance(top(a), SignInScreen)
        assert top(a).query_one(TabbedContent).active == "password", "this machine has its account"
        await a.press("escape")
        await until(lambda: top(a) is first.screen)

        robin = DmNarrow(frozenset({UserId(bot.id)}))
        second.screen.account.go(robin)
        await until(lambda: second.screen.account.open_narrow.is_shown(robin))
        second.screen.panes.composer.load_text("bleep")
        drafts = second.screen.account.session.store.drafts.local
        await a.press("alt+2", "alt+0")
        await until(lambda: isinstance(top(a), Chooser))
        await a.press(*"sign", "down", "enter")
        await until(lambda: isinstance(top(a), Question))
        await a.pilot.pause()
        await a.press("right", "enter")
        await until(lambda: a.app.accounts.all == [first])
        assert top(a) is first.screen
        await until(lambda: not second.path.exists())
        assert [draft.content for draft in drafts.values()] == ["bleep"]
        assert accounts.known(a.app.folders) == [first.path]


async def test_a_key_that_is_taken_back_ends_its_account_only(
    servers: tuple[Live, Live], tmp_path: Path
) -> None:
    """The server forgets a key: the other account goes on, with a sentence of what happened."""
    acme, beta = servers
    ann = await acme.person("Ann", role=Role.OWNER)
    anna = await beta.person("Anna", role=Role.OWNER)
    ben, cleo = await acme.person("Ben"), await beta.person("Cleo")
    async with with_accounts(tmp_path, (acme, ann), (beta, anna)) as a:
        first, second = a.app.accounts.all
        await anna.post("users/me/api_key/regenerate")
        await cleo.post("messages", type="direct", to=[anna.id], content="still there?")
        await until(lambda: a.app.accounts.all == [first])
        assert top(a) is first.screen
        await until(lambda: any("Signed out" in e.message for e in a.app._notifications))
        assert second.path in accounts.known(a.app.folders)
        await ann.post("users/me/api_key/regenerate")
        await ben.post("messages", type="direct", to=[ann.id], content="and you?")
        await until(lambda: isinstance(top(a), SignInScreen))
        assert a.app.accounts.all == []


async def test_an_account_that_cannot_be_opened_stands_in_nobodys_way(
    servers: tuple[Live, Live], tmp_path: Path
) -> None:
    """The file of one has loose rights: that is told, and Esc goes to the other."""
    acme, beta = servers
    ann, anna = await acme.person("Ann"), await beta.person("Anna")
    here = folders(tmp_path, "home")
    paths = []
    for server, person in ((acme, ann), (beta, anna)):
        account = Account(site=server.url, email=person.email, key=person.key)
        paths.append(accounts.path_for(here, account))
        write_zuliprc(paths[-1], account)
    paths[0].chmod(0o644)
    app = ChinwagApp(folders=here, settings=Settings(), zuliprc=paths[0], others=paths[1:])
    async with app.run_test() as pilot:
        a = AppDriver(app, pilot)
        await until(lambda: [each.line.is_live for each in app.accounts.all] == [True])
        assert "chmod 600" in str(top(a).query_one("#trouble", Static).content)
        await a.press("escape")
        await until(lambda: shown(a) == anna.email)
