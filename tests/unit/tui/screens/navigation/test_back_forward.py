"""Back and forward, panes by size, choosing by letters, where links lead."""

from dataclasses import replace
from pathlib import Path

import pytest

from tui.api.model import ChannelId, MessageId, UserId
from tui.content import nodes as n
from tui.content.web import host
from tui.errors import ConfigError
from tui.narrow import ChannelNarrow, DmNarrow, TopicNarrow
from tui.narrow.permalink import Link
from tui.screens.compose.editor import edit_outside
from tui.screens.dialogs.choices import Choice, Search
from tui.screens.messages.links import address, inside, opened
from tui.screens.navigation.back_forward import NavigationHistory
from tui.screens.pane_sizes import PaneSizes

SITE = "https://chat.example.com"


def test_back_and_forward_are_those_of_a_browser() -> None:
    """Going somewhere new after going back forgets what was ahead."""
    trail: NavigationHistory[str] = NavigationHistory()
    for place in ("a", "b", "b", "c"):
        trail.go(place)
    assert [trail.back(), trail.back(), trail.back()] == [("b", None), ("a", None), None]
    assert trail.forward() == ("b", None)
    trail.go("d")
    assert trail.forward() is None
    assert trail.back() == ("b", None)


def test_a_jump_within_a_narrow_is_a_step() -> None:
    """Back leads to the message from which a link was followed, forward to where it led."""
    trail: NavigationHistory[str] = NavigationHistory()
    here, there = MessageId(90), MessageId(5)
    trail.go("a", there)
    trail.go("a", there, here)
    trail.go("a", there, there)
    trail.go("b", None, there)
    assert trail.back(MessageId(7)) == ("a", None)
    assert trail.back(there) == ("a", here)
    assert trail.back(here) is None
    assert trail.forward(here) == ("a", there)
    trail.replace("a", "c")
    assert trail.back(there) == ("c", here)


@pytest.mark.parametrize(
    ("width", "shown"),
    [(60, (False, False)), (80, (True, False)), (119, (True, False)), (120, (True, True))],
)
def test_panes_come_with_the_room_for_them(width: int, shown: tuple[bool, bool]) -> None:
    """A small terminal shows the conversation, a large one everything."""
    panes = PaneSizes()
    panes.resize(width)
    assert (panes.shows_sidebar, panes.shows_people) == shown


def test_a_wish_holds_until_the_size_is_another_kind() -> None:
    """Hidden people stay hidden while the window is dragged a little."""
    panes = PaneSizes()
    panes.resize(130)
    panes.people_wish = False
    panes.resize(140)
    assert not panes.shows_people
    panes.resize(80)
    panes.resize(140)
    assert panes.shows_people


def test_a_few_letters_find_a_place() -> None:
    """Letters in a row win over letters strewn about."""
    labels = ("#design › typography", "#operations", "Tycho Prague")
    choices = [Choice(value=label, label=label) for label in labels]
    assert Search(choices).find("typ")[0].value == "#design › typography"
    assert [choice.value for choice in Search(choices).find("opera")] == ["#operations"]
    assert Search(choices).find("zzz") == []


def test_links_into_the_chat_lead_there() -> None:
    """A link to a message opens its conversation at that message."""
    link = n.ChatLink(
        href="#x",
        children=(),
        channel_id=ChannelId(9),
        topic="tea",
        message_id=MessageId(5),
        near=True,
    )
    tea = TopicNarrow(ChannelId(9), "tea")
    assert inside(link, SITE, UserId(1)) == Link(narrow=tea, near=MessageId(5), with_id=None)
    recognized = inside(replace(link, near=False), SITE, UserId(1))
    assert recognized == Link(narrow=tea, near=None, with_id=MessageId(5))
    whole = n.ChatLink(href="#x", children=(), channel_id=ChannelId(9))
    channel = ChannelNarrow(ChannelId(9))
    assert inside(whole, SITE, UserId(1)) == Link(narrow=channel, near=None, with_id=None)
    people = n.ChatLink(href="#x", children=(), user_ids=(UserId(2),))
    both = DmNarrow(frozenset({UserId(1), UserId(2)}))
    assert inside(people, SITE, UserId(1)) == Link(narrow=both, near=None, with_id=None)


def test_the_host_that_is_shown_is_the_one_that_would_be_opened() -> None:
    """An address with a name before its host has none, and letters that look alike are written out."""
    assert host("https://bank.example@evil.example/login") == ""
    assert host("https://аpple.com/") == "xn--pple-43d.com"
    relative = n.Link(href="/user_uploads/1/a.png", children=())
    assert (
        address(relative, "https://chat.example.com")
        == "https://chat.example.com/user_uploads/1/a.png"
    )


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "file:///etc/passwd", "vbscript:x", "https://a\x1b"]
)
def test_what_could_do_harm_is_never_opened(url: str) -> None:
    """Only pages and mail are passed on to other programs."""
    assert opened(url) is None
    assert opened("https://example.com/") == "https://example.com/"


def test_another_editor_gives_back_what_it_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """$EDITOR may have arguments; one that fails changes nothing."""
    editor = tmp_path / "edit.sh"
    editor.write_text('#!/bin/sh\nprintf "%s!" "$1" >> "$2"\n')
    editor.chmod(0o700)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"{editor} 'two words'")
    assert edit_outside("hello ") == "hello two words!"
    monkeypatch.setenv("EDITOR", "false")
    with pytest.raises(ConfigError):
        edit_outside("hello")


@pytest.mark.parametrize(
    ("script", "saved"),
    [
        ("printf ' there' >> $1; exit 3", b"hello there"),
        (r"printf 'caf\351' > $1", b"caf\xe9"),
        ("printf ' there' >> $1; kill -9 $$", b"hello there"),
        ("exit 3", None),
        ("rm $1", None),
    ],
    ids=["fails", "Latin-1", "killed", "saves nothing", "deletes"],
)
def test_what_an_editor_saved_is_kept_if_it_cannot_be_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, saved: bytes | None
) -> None:
    """Words that were written for an hour are not deleted because the editor crashed at its end."""
    editor = tmp_path / "edit.sh"
    editor.write_text(f"#!/bin/sh\n{script}\n")
    editor.chmod(0o700)
    files = tmp_path / "files"
    files.mkdir()
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", str(editor))
    monkeypatch.setattr("tempfile.tempdir", str(files))
    with pytest.raises(ConfigError) as raised:
        edit_outside("hello")
    assert [path.read_bytes() for path in files.iterdir()] == ([] if saved is None else [saved])
    assert all(f"What it saved is in {path}." in str(raised.value) for path in files.iterdir())


def test_a_full_disk_is_no_bug_of_the_editor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no file can be made, a sentence says so."""
    monkeypatch.setenv("EDITOR", "true")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    with pytest.raises(ConfigError, match="cannot be made: No such file"):
        edit_outside("hello")
