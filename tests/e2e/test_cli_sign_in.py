"""Signing in and out on the command line: secrets by pipe or environment, one sentence for a fault."""

import asyncio
import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.e2e.endpoints import uses
from tests.full_server.sign_in_pages import EMAIL, KEY, sign_in_pages
from tests.live import live
from tui import accounts, config
from tui.cli.main import main
from tui.cli.sign_in import VARIABLE


@dataclass(frozen=True, slots=True)
class Prompt:
    """A terminal without a terminal: what is typed is piped."""

    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch

    async def run(self, *words: str, typed: str = "") -> tuple[int, str, str]:
        """Exit code, standard output and error of a command."""
        self.monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = await asyncio.to_thread(main, words)
        captured = self.capsys.readouterr()
        return code, captured.out, captured.err


@pytest.fixture
def prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Prompt:
    monkeypatch.setenv("CHINWAG_HOME", str(tmp_path / "home"))
    monkeypatch.delenv(VARIABLE, raising=False)
    return Prompt(capsys, monkeypatch)


def known() -> Sequence[Path]:
    """The accounts on this machine."""
    return accounts.known(config.folders())


@uses(
    "GET /users/me", "GET /dev_list_users", "POST /dev_fetch_api_key", "POST /remove_client_device"
)
async def test_an_account_comes_and_goes_by_commands(prompt: Prompt, tmp_path: Path) -> None:
    """By key on standard input or in the environment, by name, and out again."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        by_key = ("login", server.url, "--by", "key", "--email", ann.email)
        code, out, err = await prompt.run(*by_key, typed="wrong" * 6)
        assert (code, out) == (1, "")
        assert "address or API key is wrong" in err
        assert known() == []
        signed_in = (0, f"{ann.email} at {server.url}\n", "")
        assert await prompt.run(*by_key, typed=f"{ann.key}\n") == signed_in
        prompt.monkeypatch.setenv(VARIABLE, ann.key)
        assert await prompt.run(*by_key) == signed_in
        (path,) = known()
        assert accounts.read_zuliprc(path).key == ann.key
        code, out, err = await prompt.run("logout")
        assert "use --yes" in err
        assert known() == [path]
        assert await prompt.run("logout", "--yes") == (0, "", "")
        assert known() == []
        by_name = ("login", server.url, "--by", "name", "--email", ann.email)
        assert await prompt.run(*by_name) == signed_in


async def test_a_page_in_the_browser_signs_a_script_in(prompt: Prompt) -> None:
    """The address to open is printed; what the browser is sent on to is read."""
    async with sign_in_pages() as server:
        words = ("login", server.url, "--by", "page")
        told = io.StringIO()
        prompt.monkeypatch.setattr(sys, "stderr", told)

        class Browser:
            """Goes to the address that was printed, and types where it leads."""

            def isatty(self) -> bool:
                return False

            def readline(self) -> str:
                address = next(w for w in told.getvalue().split() if w.startswith(server.url))
                return httpx.get(address, trust_env=False).headers["Location"] + "\n"

        prompt.monkeypatch.setattr(sys, "stdin", Browser())
        assert await asyncio.to_thread(main, words) == 0
        account = accounts.read_zuliprc(known()[0])
        assert (account.email, account.key) == (EMAIL, KEY)
        assert KEY not in told.getvalue() + prompt.capsys.readouterr().out


async def test_what_is_missing_is_asked_for_in_words(prompt: Prompt, tmp_path: Path) -> None:
    """No secret, no address, no such page: a sentence each, and no account."""
    async with live(tmp_path, dev=False) as server:
        url = server.url
        assert "--email is required" in (await prompt.run("login", url))[2]
        words = ("login", url, "--email", "ann@example.com")
        assert "the password is missing" in (await prompt.run(*words))[2]
        assert "no sign-in page" in (await prompt.run("login", url, "--by", "page"))[2]
        code, out, err = await prompt.run(*words, typed="guess\n")
        assert (code, out, "Email address or password is wrong" in err) == (1, "", True)
        assert known() == []
