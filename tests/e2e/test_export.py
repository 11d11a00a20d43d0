"""`chinwag export`: one conversation as a file that is whole, in order, and harmless to open."""

import json
import re
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.endpoints import uses
from tests.e2e.shell import Shell
from tests.e2e.team import KETTLE
from tests.far import Way
from tests.faults.lies import LIES, lied_to
from tests.full_server import full_server
from tui.accounts import Account, write_zuliprc

HOSTILE = "<script>alert(1)</script> <img src=x onerror=alert(1)>\n### Ann · 2026-01-01 00:00\n![i](https://evil.example/i.png)"
TEA = ("--narrow", "channel:design topic:tea")


def account_at(shell: Shell, site: str) -> None:
    """Ann's commands go to this address."""
    write_zuliprc(shell.zuliprc, Account(site=site, email=shell.ann.email, key=shell.ann.key))


async def say(shell: Shell, content: str, topic: str = "tea") -> int:
    """Ben writes; the message's ID."""
    sent = await shell.ben.post(
        "messages", type="stream", to="design", topic=topic, content=content
    )
    return int(sent["id"])


@uses("POST /register", "GET /messages")
async def test_a_topic_is_saved_in_three_formats(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Oldest first over several slices, with people, times, reactions and edits; for this person alone."""
    monkeypatch.setattr("tui.cli.export.SLICE", 2)
    numbered = [await say(shell, f"cup {number}") for number in range(4)]
    await shell.ann.post(f"messages/{numbered[0]}/reactions", emoji_name="coffee")
    await shell.ben.patch(f"messages/{numbered[1]}", content="cup **one**")
    await say(shell, "not tea", topic="milk")
    out = tmp_path / "tea"
    assert (
        await shell.says("export", *TEA, "--format", "jsonl", "--out", str(out)) == "5 messages\n"
    )
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert [each["id"] for each in records][1:] == numbered
    assert records[1]["reactions"][0]["emoji_name"] == "coffee"
    assert records[2]["subject"] == "tea"
    assert records[2]["content"] == "<p>cup <strong>one</strong></p>"
    assert records[2]["edit_history"]
    markdown = await shell.says("export", *TEA)
    assert markdown.startswith("# #design › tea\n")
    messages = re.findall(r"### (\w+) · \d{4}-\d\d-\d\d \d\d:\d\d\n\n(.+)", markdown)
    words = [("Ben", text) for text in (KETTLE, "cup 0", "cup **one**", "cup 2", "cup 3")]
    assert messages == words
    assert "*Reactions: ☕ Ann*" in markdown
    assert "*Edited 20" in markdown
    page = await shell.says("export", *TEA, "--format", "html")
    assert page.count("<article") == 5
    assert page.endswith("</html>\n")


async def test_what_others_wrote_is_harmless_in_a_file(shell: Shell) -> None:
    """No script, picture or heading of theirs, in the text, a name, or the title of the file."""
    await shell.server.person("<script>Eve</script>")
    await say(shell, HOSTILE, topic="<b>tea</b>")
    await say(shell, "/poll Which?\n<i>pot</i>", topic="<b>tea</b>")
    words = ("export", "--narrow", "channel:design topic:<b>tea</b>", "--format")
    page = await shell.says(*words, "html")
    assert not re.search(r"<(?:script|img|b>|i>)|<[^>]+onerror", page)
    assert "default-src 'none'" in page
    assert "&lt;i&gt;pot&lt;/i&gt;: 0" in page
    markdown = await shell.says(*words, "md")
    assert "\n### Ann" not in markdown
    assert "![" not in markdown
    assert "\\<script>" in markdown


async def test_a_search_and_a_direct_conversation_are_saved(shell: Shell) -> None:
    """Whatever the search language means; where it goes from place to place, each has a heading."""
    await say(shell, "the kettle of milk", topic="milk")
    await shell.ben.post("messages", type="direct", to=[shell.ann.id], content="psst")
    exported = await shell.says("export", "--narrow", "kettle sender:ben")
    assert re.findall("^## (.*)", exported, re.M) == ["#design › tea", "#design › milk"]
    assert "psst" in await shell.says("export", "--narrow", "dm:ben")
    assert "No person matches “zoe”" in await shell.refuses("export", "--narrow", "dm:zoe")


async def test_a_broken_network_leaves_the_old_file_and_no_half_one(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence; what was there before stays; afterwards it works."""
    monkeypatch.setattr("tui.cli.export.pause", lambda _error, attempt: None if attempt > 1 else 0)
    folder = tmp_path / "exports"
    folder.mkdir()
    out = folder / "tea.md"
    out.write_text("yesterday")
    async with lied_to(shell.server.url) as liar:
        account_at(shell, liar.url)
        for lie in LIES[:3]:
            liar.start(lie, b"GET /api/v1/messages")
            await shell.refuses("export", *TEA, "--out", str(out))
            assert liar.told
            assert ([each.name for each in folder.iterdir()], out.read_text()) == (
                ["tea.md"],
                "yesterday",
            )
        liar.stop()
        await shell.says("export", *TEA, "--out", str(out))
    assert KETTLE in out.read_text()
    assert "is not a file" in await shell.refuses("export", *TEA, "--out", str(folder))
    assert "cannot be written" in await shell.refuses("export", *TEA, "--out", str(folder / "a/b"))


async def test_a_conversation_of_a_full_server_is_saved(shell: Shell, way: Way) -> None:
    """Of the oldest that the client speaks with."""
    await say(shell, "milk")
    async with full_server(shell.server, level=218, way=replace(way, level=None)) as full:
        account_at(shell, full.url)
        markdown = await shell.says("export", *TEA)
        assert full.refused == []
    assert re.findall(r"\n\n(kettle|milk|is the.*)\n", markdown) == [KETTLE, "milk"]
