"""A client that is hosted touches nothing of its host, whatever is asked of it."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from tests.e2e.team import team
from tests.live import live
from tests.shape.sources import ROOT


@pytest.mark.timeout(180)  # minutes of keys in one process: a busy machine takes long
@pytest.mark.parametrize(("part", "least"), [("keys", 40), ("messages", 15), ("pages", 15)])
async def test_no_action_touches_the_host(tmp_path: Path, part: str, least: int) -> None:
    """Every action, page and dialog is opened: no file elsewhere, no program, no other connection."""
    secret = tmp_path / "zuliprc"
    secret.write_text("[api]\nkey=of somebody else\n")
    async with live(tmp_path) as server:
        ann, ben, _ = await team(server)
        words = f"[a file](/user_uploads/2/ab/plan.pdf) and https://example.com/ and {secret}"
        await ben.post("messages", type="stream", to="design", topic="tea", content=words)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.e2e.hosted_walk"),
            *(str(tmp_path), server.url, ann.email, str(secret), part),
            cwd=ROOT,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            out, err = await process.communicate(f"{ann.key}\n".encode())
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    assert process.returncode == 0, err.decode()[-3000:]
    report = json.loads(out)
    assert report["tried"] == []
    assert report["steps"] >= least
