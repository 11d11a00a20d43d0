"""The command line on a network that lies: one sentence, the documented exit code, and nothing said twice."""

import asyncio
from pathlib import Path

import pytest

from tests.faults.lies import LIES, SIGNED_OUT, lied_to
from tests.live import live
from tui.accounts import Account, write_zuliprc
from tui.cli.arguments import main

COMMANDS = (("search", "hi"), ("unread",), ("tail", "-n", "1"), ("channels",))


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHINWAG_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("tui.cli.send._pause", lambda _error, _attempt: 0.0)


async def test_a_lie_is_one_sentence_and_no_message_is_lost_or_doubled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever is answered in the server's place, to everything or to the message alone: code 1; later the
    same command with the same key says it once."""
    async with live(tmp_path) as server, lied_to(server.url) as liar:
        ann = await server.person("Ann")
        await ann.post("users/me/subscriptions", subscriptions=[{"name": "design"}])
        zuliprc = tmp_path / "zuliprc"
        write_zuliprc(zuliprc, Account(site=liar.url, email=ann.email, key=ann.key))

        async def run(command: str, *words: str) -> tuple[int, str, str]:
            code = await asyncio.to_thread(main, [command, "--zuliprc", str(zuliprc), *words])
            captured = capsys.readouterr()
            return code, captured.out, captured.err

        texts = []
        for number, lie in enumerate((*LIES, SIGNED_OUT)):
            text = f"{lie.name} {number}"
            texts.append(text)
            send = ("send", "--to", "design > tea", "--key", f"key-{number}", text)
            for begins in (b"", b"POST /api/v1/messages "):
                liar.start(lie, begins)
                code, out, err = await run(*send)
                assert (code, out, err.count("\n")) == (1, "", 1), (lie.name, begins, err)
                assert liar.told
            command = COMMANDS[number % len(COMMANDS)]
            liar.start(lie)
            code, out, err = await run(*command)
            assert (code, out, err.count("\n")) == (1, "", 1), (lie.name, command, err)
            liar.stop()
            code, first, _ = await run(*send)
            assert (code, await run(*send)) == (0, (0, first, "")), lie.name
        found = await ann.get(
            "messages",
            anchor="newest",
            num_before=100,
            num_after=0,
            apply_markdown=False,
            narrow=[{"operator": "topic", "operand": "tea"}],
        )
        assert [each["content"] for each in found["messages"]] == texts
