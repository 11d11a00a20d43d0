"""The command line against a real server, on the test's own event loop: the class of the fixture `shell`."""

import asyncio
import json
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.team import contents
from tests.live import Live, Person
from tui.cli.main import main
from tui.narrow import TopicNarrow


@dataclass(frozen=True, slots=True)
class Shell:
    """Ann's command line, with Ben in another program."""

    server: Live
    ann: Person
    ben: Person
    tea: TopicNarrow
    zuliprc: Path
    capsys: pytest.CaptureFixture[str]

    async def run(self, *words: str) -> tuple[int, str, str]:
        """Run a command; returns exit code, standard output and error."""
        code = await asyncio.to_thread(
            main, [*words[:1], "--zuliprc", str(self.zuliprc), *words[1:]]
        )
        captured = self.capsys.readouterr()
        return code, captured.out, captured.err

    async def says(self, *words: str) -> str:
        """Return the output of a command that succeeds."""
        code, out, err = await self.run(*words)
        assert (code, err) == (0, "")
        return out

    async def refuses(self, *words: str) -> str:
        """Return the sentence of a command that fails."""
        code, out, err = await self.run(*words)
        assert (code, out, err.count("\n")) == (1, "", 1)
        return err

    async def start(self, *words: str) -> asyncio.subprocess.Process:
        """Start a command as a process of its own."""
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tui", *words, "--zuliprc", str(self.zuliprc)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            preexec_fn=_hear_ctrl_c,
        )

    async def asks(self, *words: str) -> dict[str, Any]:
        """Return the JSON that `chinwag api` prints."""
        answer: dict[str, Any] = json.loads(await self.says("api", *words))
        return answer

    async def said(self, topic: str = "tea") -> list[str]:
        """Return the messages of a topic."""
        return await contents(self.ann, self.tea.channel_id, topic)


def _hear_ctrl_c() -> None:
    """Restore Ctrl+C, which a suite started in the background ignores."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
