"""Signing in by what a server offers beside a password: its pages in a browser, a token, a name."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import jwt
from textual.pilot import Pilot
from textual.widgets import Input, Static, TabbedContent

from tests.e2e.client import folders
from tests.e2e.endpoints import uses
from tests.full_server.sign_in_pages import EMAIL, KEY, sign_in_pages
from tests.live import live, until
from tui.accounts import Account, path_for, read_zuliprc
from tui.app import ChinwagApp
from tui.cache.account_folder import folder_of
from tui.config import Settings
from tui.screens.account_screen import AccountScreen
from tui.screens.accounts.sign_in import SignInScreen
from tui.screens.dialogs.browser import BrowserPage
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.form import Form
from tui.widgets.choice_list import ChoiceList

JWT_KEY = "a secret of at least thirty-two bytes"


@asynccontextmanager
async def asking(folder: Path, site: str) -> AsyncIterator[tuple[ChinwagApp, Pilot[None]]]:
    """An app whose first screen has asked a server what it offers."""
    app = ChinwagApp(folders=folders(folder, "home"), settings=Settings(), zuliprc=None)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(lambda: isinstance(app.screen, SignInScreen))
        app.screen.query_one(TabbedContent).active = "others"
        await pilot.pause()
        field = app.screen.query_one("#others-site", Input)
        field.value = site
        field.focus()
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, Chooser) and app.screen.is_mounted)
        await pilot.pause()
        yield app, pilot


def asked_title(app: ChinwagApp) -> str:
    """The title of the dialog that is open, if one is."""
    titles = app.screen.query(".title").results(Static)
    return next((str(title.content) for title in titles), "")


async def test_the_browsers_page_of_a_full_server_signs_in(tmp_path: Path) -> None:
    """Open the page, sign in there, paste where it leads: a wrong paste is told and costs nothing."""
    async with sign_in_pages() as server, asking(tmp_path, server.url) as (app, pilot):
        await pilot.press(*"github", "enter")
        await until(lambda: isinstance(app.screen, BrowserPage) and app.screen.is_mounted)
        page = app.screen
        await pilot.press("ctrl+y")
        address = app.clipboard
        assert address.startswith(f"{server.url}/accounts/login/social/github?mobile_flow_otp=")
        assert str(page.query_one("#address", Static).content) == address
        pasted, trouble = page.query_one(Input), page.query_one("#trouble", Static)
        pasted.value = address
        await pilot.press("enter")
        await until(lambda: "That is the address to open" in str(trouble.content))
        assert pasted.value == address
        async with httpx.AsyncClient(trust_env=False) as browser:
            pasted.value = (await browser.get(address)).headers["Location"]
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, AccountScreen))
        account = Account(site=server.url, email=EMAIL, key=KEY)
        assert read_zuliprc(path_for(app.folders, account)) == account
        assert "POST /api/v1/register_client_device" not in server.asked


async def test_whoever_gives_up_at_the_page_can_go_another_way(tmp_path: Path) -> None:
    """Esc leads back to the first screen, with what was typed there, and no account is made."""
    async with sign_in_pages() as server, asking(tmp_path, server.url) as (app, pilot):
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, BrowserPage) and app.screen.is_mounted)
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, SignInScreen))
        assert app.screen.query_one("#others-site", Input).value == server.url
        assert not (app.folders.config / "accounts").exists()


@uses("POST /jwt/fetch_api_key", "POST /register_client_device", "GET /server_settings")
async def test_a_token_signs_in(tmp_path: Path, asked_for: set[str]) -> None:
    """What another program has signed is enough, and this machine is then one of my devices."""
    async with live(tmp_path, jwt_key=JWT_KEY) as server:
        ann = await server.person("Ann")
        async with asking(tmp_path, server.url) as (app, pilot):
            await pilot.press(*"token", "enter")
            await until(lambda: isinstance(app.screen, Form) and app.screen.is_mounted)
            form = app.screen
            form.query_one(Input).value = "not.a.token"
            await pilot.press("enter")
            trouble = form.query_one("#trouble", Static)
            await until(lambda: "not accept this token" in str(trouble.content))
            form.query_one(Input).value = jwt.encode({"email": ann.email}, JWT_KEY, "HS256")
            await pilot.press("enter")
            await until(lambda: isinstance(app.screen, AccountScreen))
            account = Account(site=server.url, email=ann.email, key="")
            assert int((folder_of(app.folders, account).state / "device").read_text()) > 0


@uses("GET /dev_list_users", "POST /dev_fetch_api_key")
async def test_a_development_server_lets_one_choose_who_to_be(tmp_path: Path) -> None:
    """People are listed where the server says that it is for trying things out."""
    async with live(tmp_path) as server:
        await server.person("Ann")
        ben = await server.person("Ben")
        async with asking(tmp_path, server.url) as (app, pilot):
            await pilot.press(*"name", "enter")
            await until(lambda: asked_title(app) == "Sign in as")
            await pilot.press(*"ben", "enter")
            await until(lambda: isinstance(app.screen, AccountScreen))
            account = Account(site=server.url, email=ben.email, key="")
            assert read_zuliprc(path_for(app.folders, account)).email == ben.email


async def test_a_server_for_real_work_lets_nobody_in_by_name(tmp_path: Path) -> None:
    """The way is not even shown."""
    async with live(tmp_path, dev=False) as server, asking(tmp_path, server.url) as (app, _):
        assert app.screen.query_one(ChoiceList).count == 1
