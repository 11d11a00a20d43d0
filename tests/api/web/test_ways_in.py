"""The pages for newcomers name the ways in that there are, without scripts."""

import asyncio
import base64
import hashlib
import shutil
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from server_lite.store.users import Role
from tests.live import Live, live

BLOB = b"a public key"
FINGERPRINT = "SHA256:" + base64.b64encode(hashlib.sha256(BLOB).digest()).decode().rstrip("=")


async def _with_ssh(server: Live, folder: Path) -> str:
    """Turn SSH on, as `serve --ssh 2222` does; an invitation link."""
    context = server.server.app.context
    settings = replace(
        context.settings, ssh_port=2222, install_command="pipx install 'chinwag[images]'"
    )
    object.__setattr__(context, "settings", settings)  # frozen, and only here made anew
    state = context.settings.db.with_name(f"{context.settings.db.name}.ssh")
    state.mkdir()
    (state / "host_ed25519.pub").write_text(f"ssh-ed25519 {base64.b64encode(BLOB).decode()} x\n")
    ann = await server.person("Ann", role=Role.OWNER)
    link = await ann.post("invites/multiuse", invite_expires_in_minutes=60)
    return str(link["invite_link"])


async def _page(url: str) -> str:
    async with httpx.AsyncClient(trust_env=False) as browser:
        answer = await browser.get(url, headers={"Accept": "text/html"})
    assert "script" not in answer.headers["Content-Security-Policy"]
    assert "<script" not in answer.text
    return answer.text


async def test_a_newcomer_reads_what_to_run(tmp_path: Path) -> None:
    """Only what there is: SSH with its fingerprint, the install command of the host."""
    async with live(tmp_path) as server:
        before = await _page(f"{server.url}/")
        assert "chinwag login" in before
        assert "ssh" not in before
        link = await _with_ssh(server, tmp_path)
        for page in (await _page(f"{server.url}/"), await _page(link)):
            assert "<code>ssh -p 2222 127.0.0.1</code>" in page
            assert FINGERPRINT in page
            assert "pipx install &#x27;chinwag[images]&#x27;" in page
        assert f"chinwag join {link}" in await _page(link)


@pytest.mark.soak
@pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")
async def test_chromium_shows_it_without_scripts(tmp_path: Path) -> None:
    """A real browser, with scripts off."""
    async with live(tmp_path) as server:
        link = await _with_ssh(server, tmp_path)
        process = await asyncio.create_subprocess_exec(
            "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-javascript",
            f"--user-data-dir={tmp_path}/profile", "--dump-dom", link,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            out, _ = await asyncio.wait_for(process.communicate(), 50)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        assert FINGERPRINT in out.decode()
        assert "ssh -p 2222 127.0.0.1" in out.decode()
