"""The server on this machine comes back by itself."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from tests.unit.tui.sync.script import FakeEnvironment, Script, until
from tui.accounts import Account, write_zuliprc
from tui.commands import local_server
from tui.commands.local_server import LocalServer
from tui.config import Folders
from tui.errors import ConfigError
from tui.sync.machine import Sync
from tui.sync.status import Retrying

HERE = Folders(config=Path("c"), data=Path("d"), state=Path("s"), cache=Path("k"))


def _has(starts: list[Folders], times: int) -> bool:
    return len(starts) == times


async def test_it_is_started_again_each_time_it_is_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the beginning and after each lost connection; on another port if its own is taken."""
    monkeypatch.setattr(local_server, "FIRST_SECONDS", 0.0)
    sync = Sync(Script().connection, environment=FakeEnvironment().environment())
    zuliprc = tmp_path / "zuliprc"
    starts: list[Folders] = []

    async def start(folders: Folders) -> Path:
        starts.append(folders)
        if len(starts) == 2:
            raise ConfigError("The disk is full.")
        site = f"http://127.0.0.1:{len(starts)}"
        write_zuliprc(zuliprc, Account(site=site, email="a@x.org", key="k"))
        return zuliprc

    keeper = LocalServer(sync, HERE, start=start)
    running = asyncio.ensure_future(keeper.run())
    await until(lambda: sync.connection.base_url.text == "http://127.0.0.1:1")
    for times in (2, 3):
        keeper.status_changed(Retrying(1.0, 1, "Nothing listens there."))
        await until(partial(_has, starts, times))
    await until(lambda: sync.connection.base_url.text == "http://127.0.0.1:3")
    running.cancel()


async def test_a_start_looks_for_it_only_if_it_is_missed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is nearly always there, and a program is started to look for it."""
    monkeypatch.setattr(local_server, "FIRST_SECONDS", 60.0)
    sync = Sync(Script().connection, environment=FakeEnvironment().environment())
    starts: list[Folders] = []

    async def start(folders: Folders) -> Path:
        starts.append(folders)
        raise ConfigError("The disk is full.")

    keeper = LocalServer(sync, HERE, start=start)
    running = asyncio.ensure_future(keeper.run())
    for _ in range(5):
        await asyncio.sleep(0)
    assert starts == []
    keeper.status_changed(Retrying(1.0, 1, "Nothing listens there."))
    await until(partial(_has, starts, 1))
    running.cancel()
