"""Pasting as real terminals send it: a little, much, lines without marks, links, paths."""

from pathlib import Path

import pytest

from tests.e2e.client import playing
from tests.e2e.team import KETTLE, asked, contents, team
from tests.live import Live, Person, until
from tests.real_terminal import RealTerminal, real_client
from tui.api.failures import refusal
from tui.narrow import TopicNarrow
from tui.screens.dialogs.prompt import Prompt

TEA = "channel:design topic:tea"
WIDE = (150, 36)
"""So that a notice hides nothing of the composer."""
LINES = "\n".join(f"line {n} of what was copied" for n in range(1, 31))


async def _opened(terminal: RealTerminal) -> None:
    """Wait for the conversation, and begin to write."""
    await terminal.shows(KETTLE)
    terminal.press("c")
    await terminal.shows("Enter Send")


async def _says(person: Person, place: TopicNarrow, *texts: str) -> None:
    async def there() -> bool:
        return await contents(person, place.channel_id, place.topic) == [KETTLE, *texts]

    await until(there)


async def test_many_lines_are_asked_about_and_undo_takes_the_choice_back(
    server: Live, tmp_path: Path
) -> None:
    """As a block of code, undone by one key; Esc changes nothing, and Ctrl+Y still has the text."""
    ann, _, tea = await team(server)
    async with real_client(server, ann, tmp_path, narrow=TEA, size=WIDE) as terminal:
        await _opened(terminal)
        terminal.type("see")
        await terminal.shows("see")
        terminal.paste(LINES)
        await terminal.shows("Paste 30 lines", "As text", "As a code block", "As a file")
        terminal.press("down", "enter")
        await terminal.shows("line 30 of what")
        await terminal.hides("Paste 30 lines")
        terminal.press("ctrl+z")
        await terminal.hides("line 30 of what")
        await terminal.shows("see")
        terminal.paste(LINES)
        await terminal.shows("Paste 30 lines")
        terminal.press("escape")
        await terminal.shows("Not pasted")
        terminal.press("ctrl+y")
        await terminal.shows("line 30 of what")
        terminal.press("enter")
        await _says(ann, tea, f"see{LINES}")


async def test_many_lines_become_a_file(server: Live, tmp_path: Path) -> None:
    """The name is proposed; the file has every byte, and the link is undone by one key."""
    ann, _, tea = await team(server)
    source = "import os\n" + LINES + "\n"
    async with real_client(
        server, ann, tmp_path, narrow=TEA, size=WIDE, keyboard="kitty"
    ) as terminal:
        await _opened(terminal)
        terminal.paste(source)
        await terminal.shows("Paste 31 lines")
        terminal.type("file")
        terminal.press("enter")
        await terminal.shows("Name of the file", "pasted.py")
        terminal.press("enter")
        await terminal.shows("[pasted.py](/user_uploads/")
        terminal.press("ctrl+z")
        await terminal.hides("[pasted.py]")
        terminal.press("ctrl+g", "z")
        await terminal.shows("[pasted.py](/user_uploads/")
        terminal.press("enter")
        await until(lambda: _is_there(ann, tea, "pasted.py"))
    (kept,) = (await ann.get("attachments"))["attachments"]
    assert kept["size"] == len(source.encode())
    assert not list((tmp_path / "home").rglob("pasted.py"))


async def _is_there(person: Person, place: TopicNarrow, words: str) -> bool:
    return words in (await contents(person, place.channel_id, place.topic))[-1]


@pytest.mark.parametrize("count", [2, 30])
async def test_lines_from_a_terminal_without_marks_send_nothing(
    server: Live, tmp_path: Path, count: int
) -> None:
    """They come as typing does, Enter after each: all of them are in the composer, or asked about."""
    ann, _, tea = await team(server)
    lines = LINES.split("\n")[:count]
    async with real_client(server, ann, tmp_path, narrow=TEA, size=WIDE) as terminal:
        await _opened(terminal)
        data = "".join(f"{line}\r" for line in lines).encode()
        terminal.send(data)
        if count >= 20:
            await terminal.shows(f"Paste {count} lines")
            terminal.press("enter")
        await terminal.shows(lines[0], lines[-1]) if count < 10 else await terminal.shows(lines[-1])
        assert await contents(ann, tea.channel_id, "tea") == [KETTLE]
        terminal.press("enter")
        await _says(ann, tea, "\n".join(lines))
        terminal.send(b"one line, as a program types it\r")
        await _says(ann, tea, "\n".join(lines), "one line, as a program types it")


async def test_lines_without_marks_are_no_commands(server: Live, tmp_path: Path) -> None:
    """Pasted while the messages have the focus, their letters do nothing."""
    ann, _, tea = await team(server)
    async with real_client(server, ann, tmp_path, narrow=TEA, size=WIDE) as terminal:
        await terminal.shows(KETTLE)
        terminal.send(b"".join(b"t*dM line\r" for _ in range(10)))
        await terminal.shows("10 lines were")
        terminal.send(b"csafe\r")
        await _says(ann, tea, "safe")


async def test_a_paste_of_a_megabyte_is_asked_about_at_once(server: Live, tmp_path: Path) -> None:
    """No message holds it: a file is what is offered, and keys go on working."""
    ann, _, _ = await team(server)
    async with real_client(server, ann, tmp_path, narrow=TEA, size=WIDE) as terminal:
        await _opened(terminal)
        terminal.paste("y" * 63 + "\n" + LINES + "\n" + ("x" * 63 + "\n") * 16_000)
        await terminal.shows("Paste 16,031 lines", "As a file", seconds=8)
        await terminal.hides("As text")
        terminal.press("escape")
        await terminal.hides("Paste 16,031 lines")
        terminal.type("still here")
        await terminal.shows("still here")


async def test_nothing_in_a_paste_is_a_key_or_reaches_the_terminal(
    server: Live, tmp_path: Path
) -> None:
    """Escape sequences, an Enter behind them, and characters that turn a line around."""
    ann, _, tea = await team(server)
    async with real_client(server, ann, tmp_path, narrow=TEA, size=WIDE) as terminal:
        await _opened(terminal)
        hostile = "rm \x1b]0;owned\x07\x1b[" + "9;" * 30 + "\rif \u202eevil\u2066"
        terminal.paste(hostile)
        await terminal.shows("if evil", "Invisible control")
        assert b"owned\x07" not in terminal.written
        assert "\u202e".encode() not in terminal.written
        assert await contents(ann, tea.channel_id, "tea") == [KETTLE]
        terminal.press("ctrl+f")
        await terminal.shows("sender: a name")
        terminal.paste("ra\x1b]0;owned\x07in\u202e\nsecond")
        await terminal.shows("ra]0;ownedin")
        assert b"owned\x07" not in terminal.written
        assert "\u202e".encode() not in terminal.written


async def test_an_image_in_the_clipboard_is_attached(server: Live, tmp_path: Path) -> None:
    """Alt+Y asks the machine's program for it; without one I am told which is missing."""
    ann, _, tea = await team(server)
    programs = tmp_path / "programs"
    programs.mkdir()
    machine = {"WAYLAND_DISPLAY": "w", "PATH": str(programs)}
    async with real_client(
        server, ann, tmp_path, narrow=TEA, size=WIDE, keyboard="kitty", environment=machine
    ) as terminal:
        await _opened(terminal)
        terminal.press("ctrl+g", "y")
        await terminal.shows("needs wl-paste")
        (programs / "image").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(500))
        program = programs / "wl-paste"
        program.write_text(f"#!/bin/sh\nexec /bin/cat {programs}/image\n")
        program.chmod(0o755)
        terminal.press("ctrl+v")
        await terminal.shows("[image.png](/user_uploads/")
        terminal.press("enter")
        await until(lambda: _is_there(ann, tea, "image.png"))


async def test_dropped_files_are_attached_and_text_stays_text(server: Live, tmp_path: Path) -> None:
    """Two at once, as a terminal writes them; a sentence with a path in it asks nothing."""
    ann, _, tea = await team(server)
    plan, photo = tmp_path / "plan.txt", tmp_path / "photo one.png"
    for path in (plan, photo):
        path.write_text("x")
    async with real_client(server, ann, tmp_path, narrow=TEA, size=WIDE) as terminal:
        await _opened(terminal)
        terminal.paste(f"see {plan}: ")
        await terminal.shows("plan.txt:")
        terminal.paste(f"'{plan}' '{photo}' ")
        await terminal.shows("Attach 2 files?")
        terminal.press("right", "enter")
        await terminal.shows("[plan.txt](/user", "one.png](/user")
        terminal.press("enter")
        await until(lambda: _is_there(ann, tea, "[photo one.png]"))
    assert (await contents(ann, tea.channel_id, "tea"))[-1].startswith(f"see {plan}: [p")


async def test_the_address_of_an_issue_gets_short_and_undo_brings_it_back(
    server: Live, tmp_path: Path
) -> None:
    """By the organization's linkifier; in code it stays."""
    ann, _, tea = await team(server)
    await ann.post(
        "realm/filters",
        pattern="#(?P<id>[0-9]+)",
        url_template="https://git.example/tea/issues/{id}",
        example_input="#1",
        reverse_template="#{id}",
    )
    address = "https://git.example/tea/issues/123"
    async with real_client(
        server, ann, tmp_path, narrow=TEA, size=WIDE, keyboard="kitty"
    ) as terminal:
        await _opened(terminal)
        terminal.type("done: ")
        terminal.paste(address)
        await terminal.shows("done: #123")
        terminal.press("ctrl+z")
        await terminal.shows(f"done: {address}")
        terminal.press("ctrl+g", "z")
        await terminal.shows("done: #123")
        terminal.type(", not `")
        terminal.paste(address)
        await terminal.shows(f"`{address}")
        terminal.press("enter")
        await _says(ann, tea, f"done: #123, not `{address}")


async def test_what_another_editor_makes_of_it_is_one_step_of_undo(
    server: Live, tmp_path: Path
) -> None:
    """Alt+E and back; an editor that fails, or writes what is no text, changes nothing."""
    ann, _, _ = await team(server)
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\n. "$0.does"\n')
    editor.chmod(0o755)
    does = tmp_path / "editor.does"
    machine = {"VISUAL": str(editor), "TMPDIR": str(tmp_path)}
    async with real_client(
        server, ann, tmp_path, narrow=TEA, size=WIDE, keyboard="kitty", environment=machine
    ) as terminal:
        await _opened(terminal)
        terminal.type("mine")
        await terminal.shows("mine")
        for script, told in (("exit 3", "ended with 3"), ("printf '\\377' > $1", "not UTF-8")):
            does.write_text(script)
            terminal.press("alt+e")
            await terminal.shows(told, "mine")
        kept = [each.read_bytes() for each in _kept_files(tmp_path)]
        assert kept == [b"\377"]  # it may be somebody's words in another encoding
        does.write_text("printf 'and\\n\\033]0;x\\007theirs\\n' >> $1")
        terminal.press("alt+e")
        await terminal.shows("mineand", "]0;xtheirs")
        assert b"\x1b]0;x\x07" not in terminal.written
        terminal.press("ctrl+z")
        await terminal.hides("theirs")
        await terminal.shows("mine")


def _kept_files(folder: Path) -> list[Path]:
    return list(folder.glob("chinwag-*-kept.md"))


def _kept(folder: Path) -> list[Path]:
    return list(folder.rglob("pasted.txt"))


@pytest.mark.parametrize("status", [413, 403])
async def test_a_pasted_file_that_is_refused_is_kept(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    """A proxy says that it is too large, or the server that I may not: nothing that I wrote is gone."""
    body = b"<h1>no</h1>" if status == 413 else b'{"result": "error", "msg": "Not you."}'

    async def refuse(*_: object, **__: object) -> None:
        raise refusal(status, {}, body, "POST /user_uploads", "chat.example")

    monkeypatch.setattr("tui.commands.uploads.routes.upload", refuse)
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.composer.focus()
        await a.press(*"see")
        a.paste(LINES)
        await asked(a)
        await a.press(*"file", "enter")
        await until(lambda: isinstance(a.app.screen, Prompt))
        await a.press("enter")
        await until(lambda: any("not attached" in each.message for each in a.app._notifications))
        (told,) = [each.message for each in a.app._notifications if "not attached" in each.message]
        (kept,) = _kept(tmp_path)
        assert str(kept) in told
        assert ("too large" in told) == (status == 413)
        assert kept.read_text() == LINES
        assert a.screen.panes.composer.text == "see"
        a.screen.panes.composer.focus()
        await a.press("ctrl+y")
        assert a.screen.panes.composer.text == f"see{LINES}"
