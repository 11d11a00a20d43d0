"""Files: what is proposed and meant, and a name from a stranger that can do no harm."""

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.commands import files, uploads
from tui.commands.downloads import MOST_BYTES, incoming, reserve, safe_name
from tui.errors import ConfigError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a folder and a few files."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "Papers").mkdir()
    for name in ("plan.pdf", "photo one.png", ".secret", "Papers/thesis.tex"):
        (tmp_path / name).write_bytes(b"x" * 2000)
    return tmp_path


@pytest.mark.parametrize(
    ("typed", "texts"),
    [
        ("~/", ["~/Papers/", "~/photo one.png", "~/plan.pdf"]),
        ("~/p", ["~/Papers/", "~/photo one.png", "~/plan.pdf"]),
        ("~/PL", ["~/plan.pdf"]),
        ("~/Papers/", ["~/Papers/thesis.tex"]),
        ("~/.s", ["~/.secret"]),
        ("~/nowhere/", []),
    ],
)
@pytest.mark.usefixtures("home")
def test_paths_are_completed(typed: str, texts: list[str]) -> None:
    """Folders come first, hidden files only when they are asked for."""
    assert [each.text for each in files.proposals(typed)] == texts


def test_a_path_is_known_however_a_terminal_pastes_it(home: Path) -> None:
    """A file dropped on the window comes quoted, escaped, or as an address."""
    path = home / "photo one.png"
    for pasted in (
        str(path),
        f"'{path}'",
        str(path).replace(" ", "\\ "),
        f"file://{str(path).replace(' ', '%20')} ",
        "~/photo\\ one.png",
    ):
        assert files.existing(pasted) == path, pasted
    for no_path in (
        "plan.pdf",
        "hello",
        str(home),
        "~/missing",
        "it's",
        "a\nb",
        "\x00",
        "/" * 5000,
    ):
        assert files.existing(no_path) is None, no_path


def test_what_cannot_be_sent_is_told_before_anything_is_sent(home: Path) -> None:
    """Too large, no file, gone: each in a sentence."""
    with pytest.raises(ConfigError, match=r"plan.pdf is 2.0 KiB; the limit is 0 MiB"):
        files.opened(home / "plan.pdf", most_mib=0).__enter__()
    with pytest.raises(ConfigError, match="Papers is not a file"):
        files.opened(home / "Papers", most_mib=1).__enter__()
    with files.opened(home / "plan.pdf", most_mib=1) as (file, size):
        assert size == len(file.read())


@given(
    st.text(max_size=400)
    | st.sampled_from(["../../x", ".bashrc", "a/b", "CON.txt", "…", "x" * 999 + ".pdf"])
)
@settings(max_examples=60)
def test_no_name_leaves_the_folder_or_hides(name: str) -> None:
    """Whatever a stranger calls a file, it lies visibly in the folder for downloads."""
    safe = safe_name(name)
    assert (Path("/folder") / safe).parent == Path("/folder")
    assert safe not in ("", ".", "..")
    assert not safe.startswith(".")
    assert safe.isprintable()
    assert len(safe.encode()) <= MOST_BYTES
    assert safe_name(safe) == safe


def test_a_name_keeps_what_is_harmless() -> None:
    """An ordinary name stays as it is, a long one keeps its ending."""
    assert safe_name("Plan für März (2).tar.gz") == "Plan für März (2).tar.gz"
    assert safe_name("../.bashrc") == "_.bashrc"
    assert safe_name("con.txt") == "_con.txt"
    assert safe_name("x" * 300 + ".pdf").endswith("x.pdf")
    assert safe_name("invoice\u202efdp.exe") == "invoice⟨U+202E⟩fdp.exe"


def test_nothing_is_overwritten_and_nobody_else_may_read(tmp_path: Path) -> None:
    """The second file of a name gets a number; a link that waits there is not followed."""
    (tmp_path / "a.txt").write_text("mine")
    (tmp_path / "a (1).txt").symlink_to(tmp_path / "target")
    with incoming(tmp_path) as landing:
        landing.file.write(b"theirs")
        path = landing.keep("a.txt")
    assert path.name == "a (2).txt"
    assert path.read_bytes() == b"theirs"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (tmp_path / "a.txt").read_text() == "mine"
    assert not (tmp_path / "target").exists()


def test_half_a_file_is_none(tmp_path: Path) -> None:
    """When the connection breaks in the middle, nothing is left behind."""
    landing = incoming(tmp_path)
    landing.__enter__().file.write(b"hal")
    assert os.listdir(tmp_path) != []
    landing.__exit__(None, None, None)
    assert os.listdir(tmp_path) == []


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "taken").write_text("")
    with pytest.raises(ConfigError, match="cannot be written"), incoming(tmp_path / "taken"):
        pass
    with pytest.raises(ConfigError, match="cannot be written"):
        reserve(tmp_path / "missing", "a.txt")


@pytest.mark.parametrize(
    ("href", "is_one"),
    [
        ("/user_uploads/2/ab/plan.pdf", True),
        ("https://chat.example.com/user_uploads/2/ab/plan.pdf", True),
        ("https://evil.example.com/user_uploads/2/ab/plan.pdf", False),
        ("//evil.example.com/user_uploads/x", False),
        ("/user_avatars/2/x.png", False),
    ],
)
def test_only_files_of_this_server_are_fetched(href: str, is_one: bool) -> None:
    """A link elsewhere that looks like an upload is a link elsewhere."""
    assert uploads.is_upload("https://chat.example.com", href) is is_one


def test_the_text_of_a_link_stays_one() -> None:
    """Brackets in a file's name do not break the Markdown."""
    assert uploads.link("a[1].txt", "/user_uploads/1") == "[a(1).txt](/user_uploads/1)"
    assert uploads.file_name("/user_uploads/2/ab/my%20plan.pdf?x=1") == "my plan.pdf"


def test_several_dropped_files_are_known(home: Path) -> None:
    """One after the other in a line, or each in its own; one that is not there makes all of it text."""
    plan, photo = home / "plan.pdf", home / "photo one.png"
    escaped = str(photo).replace(" ", "\\ ")
    for pasted in (
        f"{plan} {escaped} ",
        f"'{plan}' '{photo}'",
        f"{plan}\n{photo}\n",
        f"file://{plan}\r\nfile://localhost{str(photo).replace(' ', '%20')}\r\n",
    ):
        assert files.dropped(pasted) == [plan, photo], pasted
    for text in (
        f"{plan} {home / 'missing'}",
        f"see {plan}",
        f"cat {plan} > {photo}",
        f"file://elsewhere.example{plan}",
        f"{plan}\n" * 21,
        "'",
        "",
    ):
        assert files.dropped(text) == [], text


def test_what_is_pasted_is_kept_for_this_person_alone(tmp_path: Path) -> None:
    """Under a name that can do no harm; nothing but such a file is ever removed."""
    folder = tmp_path / "pasted"
    path = files.keep_pasted(folder, "../../.bashrc", b"x")
    assert path.parent.parent == folder
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    other = tmp_path / "other.txt"
    other.write_text("")
    files.forget_pasted(folder, other)
    files.forget_pasted(folder, path)
    assert other.exists()
    assert not list(folder.iterdir())
