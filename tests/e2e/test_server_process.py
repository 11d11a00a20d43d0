"""The server as a process: it says where it is, stops when told to, and local ones find each other."""

import asyncio
import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from server_lite.actions.organization import NewOrganization
from server_lite.maintenance.files import create_organization
from server_lite.store.instance_lock import Lock, server_info
from tests.live import until

SERVER = [sys.executable, "-m", "server_lite"]


def found(db: Path) -> None:
    """A new organization without passwords."""
    create_organization(
        db, NewOrganization(name="Team", owner_email="o@x.org", owner_name="Olive", password=None)
    )


def mapped(pid: int) -> set[str]:
    """Which of some libraries a process has in memory."""
    files = Path(f"/proc/{pid}/maps").read_text()
    return {name for name in ("libssl", "libcrypto", "pydantic_core") if name in files}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_it_stops_at_once_with_a_poll_open(tmp_path: Path, number: int) -> None:
    """A signal sends the waiting poll home, ends the process with 0 and leaves one clean file.

    Without TLS it had no OpenSSL in memory until then, a tenth of the whole.
    """
    db = tmp_path / "team.db"
    found(db)
    process = await asyncio.create_subprocess_exec(
        *SERVER, "serve", "--db", str(db), "--dev", "--port", "0", stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    line = (await process.stdout.readline()).decode()
    assert line.startswith("listening on http://127.0.0.1:")
    url = line.split()[-1]
    async with httpx.AsyncClient(base_url=f"{url}/api/v1/", trust_env=False) as http:
        key = (await http.post("dev_fetch_api_key", data={"username": "o@x.org"})).json()
        http.auth = httpx.BasicAuth("o@x.org", key["api_key"])
        queue = (await http.post("register", data={"event_types": '["message"]'})).json()
        asked = {name: queue[name] for name in ("queue_id", "last_event_id")}
        # The second of two polls sends the first one home: then one of them is at the server, and waits.
        polls = [asyncio.create_task(http.get("events", params=asked)) for _ in range(2)]
        _, (waiting,) = await asyncio.wait(polls, return_when=asyncio.FIRST_COMPLETED)
        if sys.platform == "linux":
            assert mapped(process.pid) == {"pydantic_core"}
        process.send_signal(number)
        assert (await waiting).json()["events"] == []
    rest, _ = await asyncio.wait_for(process.communicate(), 5)
    assert (process.returncode, rest) == (0, b"")
    assert sorted(os.listdir(tmp_path)) == ["team.db", "team.db.lock"]


async def local(folder: Path) -> dict[str, Any]:
    """What `local` prints."""
    process = await asyncio.create_subprocess_exec(
        *SERVER,
        *("local", "--data-dir", str(folder)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    answer: dict[str, Any] = json.loads(out)
    return answer


async def test_two_that_start_at_once_share_one_server(tmp_path: Path) -> None:
    """Both are told the same server; the key signs in, and nobody else can read it."""
    folder = tmp_path / "data"
    first, second = await asyncio.gather(local(folder), local(folder))
    note = server_info(folder / "chinwag.db")
    assert note is not None
    try:
        assert first == second == {"url": note.url, "zuliprc": str(folder / "zuliprc")}
        modes = {stat.S_IMODE(os.stat(folder / name).st_mode) for name in os.listdir(folder)}
        assert modes == {0o600}
        lines = (folder / "zuliprc").read_text().splitlines()
        api = dict(line.split(" = ") for line in lines if " = " in line)
        auth = (api["email"], api["key"])
        async with httpx.AsyncClient(auth=auth, trust_env=False) as http:
            me = (await http.get(f"{api['site']}/api/v1/users/me")).json()
        assert me["is_owner"]
        (folder / "zuliprc").unlink()
        assert await local(folder) == first
        assert (folder / "zuliprc").exists()
    finally:
        os.kill(note.pid, signal.SIGTERM)
    lock = Lock(folder / "chinwag.db")
    await until(lock.take)
    lock.release()
