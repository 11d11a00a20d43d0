"""The command line against a real server, on the test's own loop. The fixture `shell` gives one."""

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
from tui.cli.arguments import main
from tui.narrow import TopicNarrow


@dataclass(frozen=True, slots=True)
class Shell:
    """Ann's terminal, with Ben at another one."""

    server: Live
    ann: Person
    ben: Person
    tea: TopicNarrow
    zuliprc: Path
    capsys: pytest.CaptureFixture[str]

    async def run(self, *words: str) -> tuple[int, str, str]:
        """Exit code, standard output and error of a command."""
        code = await asyncio.to_thread(
            main, [*words[:1], "--zuliprc", str(self.zuliprc), *words[1:]]
        )
        captured = self.capsys.readouterr()
        return code, captured.out, captured.err

    async def says(self, *words: str) -> str:
        """What a command prints that succeeds."""
        code, out, err = await self.run(*words)
        assert (code, err) == (0, "")
        return out

    async def refuses(self, *words: str) -> str:
        """The one sentence of a command that fails."""
        code, out, err = await self.run(*words)
        assert (code, out, err.count("\n")) == (1, "", 1)
        return err

    async def start(self, *words: str) -> asyncio.subprocess.Process:
        """The same as a process of its own."""
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tui", *words, "--zuliprc", str(self.zuliprc)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            preexec_fn=_hear_ctrl_c,
        )

    async def asks(self, *words: str) -> dict[str, Any]:
        """The JSON that `chinwag api` prints."""
        answer: dict[str, Any] = json.loads(await self.says("api", *words))
        return answer

    async def said(self, topic: str = "tea") -> list[str]:
        """What the topic says."""
        return await contents(self.ann, self.tea.channel_id, topic)


def _hear_ctrl_c() -> None:
    """As in a terminal: a suite that was started in the background hands down that it is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
