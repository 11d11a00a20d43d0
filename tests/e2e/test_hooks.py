"""The person's own programs run on messages that come, once, and end with the client."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.client import playing
from tests.e2e.team import team
from tests.live import Live, until
from tests.shape.sources import ROOT
from tui.commands import hooks
from tui.config import Settings, read_settings
from tui.hook_settings import Hooks
from tui.store import Changes

GUIDE = (ROOT / "docs" / "guide" / "scripting.md").read_text("utf-8")
RECORDS = """#!/bin/sh
{ for each; do printf '%s|' "$each"; done; cat; } >> "$HOME/${0##*/}.log"
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder, with programs of a desktop that write down how they were run."""
    folder = tmp_path / "home"
    (folder / "bin").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("PATH", f"{folder / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setenv("CHINWAG_SECRET", "not for programs")
    for name in ("notify-send", "paplay"):
        program(folder, name, RECORDS)
    return folder


def program(home: Path, name: str, script: str) -> str:
    """A program on the path."""
    path = home / "bin" / name
    path.write_text(script)
    path.chmod(0o700)
    return str(path)


def lines(path: Path) -> list[str]:
    """What a program wrote: the lines that are whole."""
    return path.read_text().split("\n")[:-1] if path.exists() else []


async def test_the_hooks_of_the_guide_run(server: Live, tmp_path: Path, home: Path) -> None:
    """A notification, a line in a file, a sound: each on its message, with the message as JSON."""
    example = next(
        text for text in re.findall(r"```toml\n(.*?)```", GUIDE, re.S) if "[hooks]" in text
    )
    config = tmp_path / "config.toml"
    config.write_text(example)
    settings, troubles = read_settings(config)
    assert (troubles, bool(settings.hooks)) == ([], True)
    ann, ben, _ = await team(server)
    place: dict[str, Any] = {"type": "stream", "to": "design", "topic": "tea"}
    async with playing(server, ann, tmp_path, settings=settings):
        await ben.post("messages", **place, content="nothing of note")
        await ben.post("messages", **place, content="@**Ann** look; $(touch /tmp/x)")
        await ben.post("messages", type="direct", to=[ann.id], content="psst")
        await ben.post("messages", **place, content="an **outage**")
        await ann.post("messages", **place, content="my own outage")
        mention, direct = home / "notify-send.log", home / "direct-messages.jsonl"
        sound = home / "paplay.log"
        await until(lambda: all(lines(each) for each in (mention, direct, sound)))
    words, _, record = lines(mention)[0].rpartition("|")
    assert words == "Chinwag|You were mentioned"
    assert json.loads(record)["text"] == "@Ann look; $(touch /tmp/x)"
    assert [json.loads(line)["text"] for line in lines(direct)] == ["psst"]
    (told,) = (json.loads(line.rpartition("|")[2]) for line in lines(sound))
    assert (told["hooks"], told["text"]) == (["keyword"], "an outage")
    assert (told["channel"], told["account"]) == ("design", ann.email)


async def test_a_message_runs_a_hook_once_and_history_runs_none(
    server: Live, tmp_path: Path, home: Path
) -> None:
    """Not what came before the start, not again when the account connects anew, not more than the limit."""
    ann, ben, tea = await team(server)

    async def say(content: str) -> None:
        await ben.post("messages", type="direct", to=[ann.id], content=content)

    await say("before")
    output = home / "said.jsonl"
    chosen = Hooks(direct_message=("tee", "-a", output.name), per_minute=2)
    async with playing(server, ann, tmp_path, settings=Settings(hooks=chosen)) as a:
        await a.go(tea)
        await say("one")
        await until(lambda: len(lines(output)) == 1)
        session = a.screen.account.session
        assert session.hooks is not None
        session.hooks.store_changed(Changes(replaced=True))
        session.hooks.store_changed(Changes(arrived=(session.store.max_message_id,)))
        for content in ("two", "three", "four"):
            await say(content)
        log = a.app.folders.state / hooks.LOG
        await until(lambda: len(lines(output)) == 2 and bool(lines(log)))
    assert [json.loads(line)["text"] for line in lines(output)] == ["one", "two"]
    assert [line.partition("UTC ")[2] for line in lines(log)] == [
        "more than 2 in a minute: the others were not run"
    ]
    assert log.stat().st_mode & 0o77 == 0


async def test_a_program_ends_with_the_client(server: Live, tmp_path: Path, home: Path) -> None:
    """Also one that does not read its input, and what it started itself."""
    ann, ben, _ = await team(server)
    script = 'sleep 600 & echo $! > "$HOME/new"; mv "$HOME/new" "$HOME/child"; env > "$HOME/env"; sleep 600\n'
    chosen = Hooks(direct_message=(program(home, "endless", f"#!/bin/sh\n{script}"),))
    async with playing(server, ann, tmp_path, settings=Settings(hooks=chosen)):
        await ben.post("messages", type="direct", to=[ann.id], content="hi")
        await until(lambda: (home / "env").exists())
        child = int((home / "child").read_text())
    await until(lambda: not is_running(child))
    assert "CHINWAG_SECRET" not in (home / "env").read_text()


def is_running(pid: int) -> bool:
    """Whether a process is alive; one that nobody has asked after yet is not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def test_what_fails_is_a_sentence(home: Path) -> None:
    """For the log: a program that is not there, ends badly, or does not end."""
    assert await hooks._run(("no-such-program",), b"{}\n", 5) == (
        "could not be started: No such file or directory"
    )
    assert await hooks._run(("false",), b"{}\n", 5) == "ended with code 1"
    assert await hooks._run(("true",), b"x" * 1_000_000, 5) == ""
    assert await hooks._run(("sleep", "600"), b"{}\n", 0.05) == "was killed after 0.05 seconds"
