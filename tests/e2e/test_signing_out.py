"""The end of an account on this machine, and of keys that somebody else may have."""

from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input, Static, TabbedContent

from tests.e2e.client import folders, playing
from tests.e2e.endpoints import uses
from tests.live import live, until
from tui.accounts import Account, path_for, read_zuliprc
from tui.app import ChinwagApp
from tui.cache.account_folder import folder_of
from tui.cache.database import Database
from tui.cache.outbox import OutboxFile
from tui.commands.sign_out import unsent
from tui.config import Settings
from tui.screens.account_screen import AccountScreen
from tui.screens.accounts.sign_in import SignInScreen
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.question import Question
from tui.sync.status import Live


async def command(app: ChinwagApp, pilot: Pilot[None], name: str) -> str:
    """Choose a command by its name and answer yes to its question, which is returned."""
    await pilot.press("ctrl+p")
    await until(lambda: isinstance(app.screen, Chooser) and app.screen.is_mounted)
    await pilot.pause()
    await pilot.press(*name, "enter")
    await until(lambda: isinstance(app.screen, Question) and app.screen.is_mounted)
    await pilot.pause()
    words = str(app.screen.query_one(".description", Static).content)
    await pilot.press("right", "enter")
    return words


@uses("GET /users/me", "POST /register_client_device", "POST /remove_client_device")
async def test_signing_out_leaves_no_key_and_loses_no_word(tmp_path: Path) -> None:
    """In by key, out by a command: off the server's devices, key and copies gone, drafts kept."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        here = folders(tmp_path, "home")
        account = Account(site=server.url, email=ann.email, key=ann.key)
        path, places = path_for(here, account), folder_of(here, account)
        app = ChinwagApp(folders=here, settings=Settings(), zuliprc=None)
        async with app.run_test(size=(80, 24)) as pilot:
            await until(lambda: isinstance(app.screen, SignInScreen))
            app.screen.query_one(TabbedContent).active = "key"
            await pilot.pause()
            for name, value in (("site", server.url), ("email", ann.email), ("key", ann.key)):
                app.screen.query_one(f"#key-{name}", Input).value = value
            app.screen.query_one("#key-key", Input).focus()
            await pilot.press("enter")
            await until(
                lambda: isinstance(app.screen, AccountScreen) and app.screen.account.is_ready
            )
            assert read_zuliprc(path) == account
            device = int((places.state / "device").read_text())
            screen = app.accounts.all[0].screen
            await until(lambda: isinstance(screen.account.session.sync.status, Live))

            words = await command(app, pilot, "sign out")
            assert "Drafts are kept" in words
            await until(lambda: isinstance(app.screen, SignInScreen))
            assert not path.exists()
            assert not places.cache.exists()
            assert (places.state / "account.db").exists()
            assert app.accounts.all == []
        refused = await ann.post("remove_client_device", device_id=device)
        assert refused["status"] == 400


async def test_what_was_not_sent_is_told_before_signing_out(tmp_path: Path) -> None:
    """Whoever is about to leave hears how many messages still wait here."""
    account = Account(site="http://127.0.0.1:9", email="ann@example.com", key="k")
    here = folders(tmp_path, "home")
    assert unsent(here, account) == 0
    database = Database(folder_of(here, account).state / "account.db")
    outbox = OutboxFile(database, tmp_path)
    database.run("INSERT INTO outbox VALUES ('a', ?, 1.0, '{}')", outbox.owner)
    outbox.close()
    database.close()
    assert unsent(here, account) == 1


@uses("POST /users/me/api_key/regenerate")
async def test_a_new_key_shuts_everybody_else_out(tmp_path: Path) -> None:
    """After a laptop was lost: this machine goes on with a new key, and the old one opens nothing."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        async with playing(server, ann, tmp_path) as a:
            (first,) = a.app.accounts.all
            words = await command(a.app, a.pilot, "new api")
            assert "will be signed out" in words
            await until(lambda: a.app.accounts.all not in ([], [first]))
            (second,) = a.app.accounts.all
            await until(lambda: second.screen.account.is_ready and second.line.is_live)
            assert second.credentials.key != ann.key
            assert read_zuliprc(second.path) == second.credentials
        assert (await ann.get("users/me"))["status"] == 401
