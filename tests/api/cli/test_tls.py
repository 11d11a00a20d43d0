"""`serve --tls-cert --tls-key`, and what the server believes of a proxy: as whoever runs it sees them."""

import asyncio
import signal
import ssl
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from server_lite.cli.admin_client import ask
from server_lite.config import Limits, Settings
from server_lite.errors import StartError
from server_lite.server import running
from server_lite.store.instance_lock import Lock, server_info
from tests.live import CHEAP
from tests.unit.server_lite.cli.conftest import Command

HERE = Path(__file__).parent
PEM = Path(__file__).parents[2] / "e2e" / "self_signed.pem"


def private(folder: Path, name: str, text: str) -> Path:
    """A file that only its owner can read."""
    path = folder / name
    path.touch(0o600)
    path.write_text(text)
    return path


def test_files_that_do_not_do_are_told_before_anything_listens(
    team: Path, command: Command, tmp_path: Path
) -> None:
    """One sentence that names the file, instead of a server that nobody can reach."""
    good = private(tmp_path, "good.pem", PEM.read_text())
    open_key = private(tmp_path, "open.pem", PEM.read_text())
    open_key.chmod(0o644)
    noise = private(tmp_path, "noise.pem", "a letter to my aunt")
    empty = private(tmp_path, "empty.pem", PEM.read_text().replace("MII", "!!!"))
    other = private(tmp_path, "other.pem", (HERE / "other_key.pem").read_text())
    locked = private(tmp_path, "locked.pem", (HERE / "locked_key.pem").read_text())
    for words, sentence in (
        (["--tls-cert", good], "--tls-cert and --tls-key belong together."),
        (["--tls-key", good], "--tls-cert and --tls-key belong together."),
        (["--tls-cert", tmp_path / "none", "--tls-key", good], "none cannot be read: No such file"),
        (["--tls-cert", noise, "--tls-key", good], "noise.pem contains no PEM certificate."),
        (["--tls-cert", good, "--tls-key", noise], "noise.pem contains no PEM private key."),
        (["--tls-cert", good, "--tls-key", open_key], "open.pem can be read by everyone"),
        (["--tls-cert", good, "--tls-key", other], "other.pem is not the key of"),
        (["--tls-cert", good, "--tls-key", locked], "locked.pem is protected by a passphrase"),
        (["--tls-cert", empty, "--tls-key", good], "empty.pem and"),
    ):
        refused = command("serve", "--db", team, *words)
        assert (refused.code, refused.err.count("\n")) == (1, 1), refused.err
        assert sentence in refused.err


async def test_it_encrypts_and_commands_still_reach_it(team: Path, tmp_path: Path) -> None:
    """Clients speak HTTPS, plain HTTP gets nothing, and `user list` asks the running server as before."""
    pem = private(tmp_path, "server.pem", PEM.read_text())
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server_lite", "serve", "--db", str(team), "--port", "0"),
        *("--tls-cert", str(pem), "--tls-key", str(pem)),
        stdout=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        url = (await process.stdout.readline()).decode().split()[-1]
        assert url.startswith("https://127.0.0.1:")
        trusting = ssl.create_default_context(cafile=PEM)
        async with httpx.AsyncClient(verify=trusting, trust_env=False) as http:
            settings = await http.get(f"{url}/api/v1/server_settings")
            assert settings.json()["realm_url"] == url
            with pytest.raises(httpx.TransportError):
                await http.get(url.replace("https", "http"))
        note = server_info(team)
        assert note is not None
        assert "users" in await asyncio.to_thread(ask, note, "user_list", {})
        forged = replace(note, certificate="0" * 64)
        with pytest.raises(StartError, match="does not serve this file"):
            await asyncio.to_thread(ask, forged, "user_list", {})
    finally:
        process.terminate()
        await process.wait()


async def test_a_renewed_certificate_is_shown_without_a_restart(team: Path, tmp_path: Path) -> None:
    """On SIGHUP new clients see it; files that cannot be used change nothing, and the log says so."""
    pem = private(tmp_path, "server.pem", PEM.read_text())
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server_lite", "serve", "--db", str(team), "--port", "0"),
        *("--tls-cert", str(pem), "--tls-key", str(pem), "--log-level", "info"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        assert process.stderr is not None
        port = int((await process.stdout.readline()).decode().rpartition(":")[2])

        async def shown() -> str:
            return await asyncio.to_thread(ssl.get_server_certificate, ("127.0.0.1", port))

        first = await shown()
        assert first.strip() in PEM.read_text()
        pem.write_text("half of a file")
        process.send_signal(signal.SIGHUP)
        assert b"not reloaded: " in await process.stderr.readline()
        assert await shown() == first
        pem.write_text((HERE / "renewed.pem").read_text())
        process.send_signal(signal.SIGHUP)
        assert b"was reloaded" in await process.stderr.readline()
        assert (await shown()).strip() in pem.read_text()
        note = server_info(team)
        assert note is not None
        assert "users" in await asyncio.to_thread(ask, note, "user_list", {})
    finally:
        process.terminate()
        await process.communicate()


def test_the_network_without_encryption_is_warned_of(team: Path, command: Command) -> None:
    """Whoever opens the server to the network hears what that means; this machine alone needs no word."""
    lock = Lock(team)
    assert lock.take()  # so that neither of them goes on to serve
    beyond = command("serve", "--db", team, "--host", "0.0.0.0")
    here = command("serve", "--db", team)
    lock.release()
    assert "listening on 0.0.0.0 without TLS" in beyond.err
    assert "without TLS" not in here.err


def test_a_token_that_signs_in_again_and_again_is_warned_of(
    team: Path, command: Command, tmp_path: Path
) -> None:
    """Whoever lets a program sign people in hears how to limit what it vouches for to one use."""
    key = tmp_path / "key"
    key.write_text("k" * 40)
    lock = Lock(team)
    assert lock.take()  # so that neither of them goes on to serve
    plain = command("serve", "--db", team, "--jwt-key-file", key)
    once = command("serve", "--db", team, "--jwt-key-file", key, "--jwt-audience", "team")
    lock.release()
    assert "without --jwt-audience, a JSON web token can be used any number of times" in plain.err
    assert "--jwt-audience" not in once.err


@pytest.mark.parametrize("behind_proxy", [True, False])
async def test_a_proxy_of_this_machine_is_believed_where_there_is_one(
    tmp_path: Path, behind_proxy: bool
) -> None:
    """Behind it each stranger has their own allowance; without one nobody gets another by a header."""
    settings = Settings(
        db=tmp_path / "team.db",
        behind_proxy=behind_proxy,
        passwords=CHEAP,
        limits=Limits(anonymous_per_minute=2),
    )
    async with (
        running(settings, signals=False) as (_, url),
        httpx.AsyncClient(trust_env=False) as http,
    ):

        async def ask_for(address: str) -> httpx.Response:
            headers = {"X-Forwarded-For": f"6.6.6.6, {address}", "X-Forwarded-Proto": "https"}
            return await http.get(f"{url}/api/v1/server_settings", headers=headers)

        strangers = ("9.9.9.1", "9.9.9.1", "9.9.9.1", "9.9.9.2")
        codes = [(await ask_for(who)).status_code for who in strangers]
        assert codes == ([200, 200, 429, 200] if behind_proxy else [200, 200, 429, 429])
        if behind_proxy:
            assert (await ask_for("9.9.9.3")).json()["realm_url"].startswith("https://")


@pytest.mark.skipif(sys.platform != "linux", reason="only there 127.0.0.2 is an address as it is")
async def test_nobody_else_is_believed(tmp_path: Path) -> None:
    """Who connects directly cannot say to be somebody else, and gets no allowance anew by that."""
    settings = Settings(
        db=tmp_path / "team.db",
        host="0.0.0.0",
        passwords=CHEAP,
        limits=Limits(anonymous_per_minute=2),
    )
    elsewhere = httpx.AsyncHTTPTransport(local_address="127.0.0.2")
    async with (
        running(settings, signals=False) as (_, url),
        httpx.AsyncClient(transport=elsewhere, trust_env=False) as http,
    ):
        site = url.replace("0.0.0.0", "127.0.0.1")
        answers = [
            await http.get(
                f"{site}/api/v1/server_settings", headers={"X-Forwarded-For": f"9.9.9.{n}"}
            )
            for n in range(3)
        ]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
