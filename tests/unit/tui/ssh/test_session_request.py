"""What a client says of its terminal is taken where it is well-formed; the log tells of strangers in one line."""

import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shape.sources import ROOT
from tui.ssh.commands import _place
from tui.ssh.events import Log
from tui.ssh.session_request import SessionRequest, decoded, environment, size

PLAIN = {"LANG": "C.UTF-8", "TERM": "xterm-256color"}


@pytest.mark.parametrize(
    ("term", "sent", "made"),
    [
        ("xterm-256color", {}, PLAIN),
        ("xterm-kitty", {}, {"LANG": "C.UTF-8", "TERM": "xterm-kitty", "COLORTERM": "truecolor"}),
        ("../../etc", {"LD_PRELOAD": "x.so", "TEXTUAL_DRIVER": "x", "PATH": "."}, PLAIN),
        ("", {"LANG": "de_DE.ISO-8859-1", "TZ": ":/etc/shadow"}, PLAIN),
        ("xterm-256color", {"LANG": "de_DE.UTF-8", "TZ": "Europe/Berlin", "COLORTERM": "\x1b[2J"}, {**PLAIN, "LANG": "de_DE.UTF-8", "TZ": "Europe/Berlin"}),
    ],
)  # fmt: skip
def test_the_environment_is_what_is_known_and_well_formed(
    term: str, sent: dict[str, str], made: dict[str, str]
) -> None:
    """Nothing of a stranger's chooses files or code."""
    assert environment(term, sent) == made


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1))
def test_a_size_can_be_drawn(columns: int, rows: int) -> None:
    """Whatever is said."""
    width, height = size(columns, rows)
    assert 1 <= width <= 500
    assert 1 <= height <= 200


def test_an_opening_comes_as_it_was_sent() -> None:
    """One line."""
    request = SessionRequest(
        kind="command", folder="/x", site="https://chat.example.com", command="ssh x",
        words=("send", "a\nb"), offered=(("SHA256:x", "ed25519"),), round_trip=0.2,
    )  # fmt: skip
    line = request.encoded()
    assert line.count(b"\n") == 1
    assert decoded(line) == request


@pytest.mark.parametrize(
    ("words", "made"),
    [
        (["#a", ">", "b"], ["--to", "#a > b"]),
        (["#a > b", "--json"], ["--to", "#a > b", "--json"]),
        (["--to", "#a", ">", "b", "c"], ["--to", "#a > b c"]),
        (["--dm", "ann@example.com", "--json"], ["--dm", "ann@example.com", "--json"]),
        (["--key", "k1", "#a", ">", "b"], ["--to", "#a > b", "--key", "k1"]),
        (["--reply-to", "7"], ["--reply-to", "7"]),
    ],
)
def test_a_place_survives_the_loss_of_its_quotes(words: list[str], made: list[str]) -> None:
    """`ssh host send '#a > b'` arrives without them."""
    assert _place(words) == made


HOSTILE = [
    "x\n2026-01-01T00:00:00+0000 chinwag-ssh: auth_failed peer=192.0.2.9",
    'x" peer=192.0.2.9',
    "peer=192.0.2.9 ",
    "\x1b]0;title\x07" * 50,
]


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_of_a_stranger_imitates_a_line_of_the_log(name: str, tmp_path: Path) -> None:
    """The documented expression of fail2ban finds the real address, and only in lines that are meant."""
    page = (ROOT / "docs" / "guide" / "ssh.md").read_text("utf-8")
    (documented,) = re.findall(r"failregex = (.+)", page)
    failed = re.compile(documented.replace("<HOST>", r"(?P<host>\S+)"))
    stream = io.StringIO()
    log = Log(tmp_path / "log", stream)
    for event in ("auth_failed", "rejected", "auth_penalty", "connected", "auth_ok"):
        log.write(event, peer="203.0.113.5", name=name)
    lines = stream.getvalue().splitlines()
    assert (tmp_path / "log").read_text() == stream.getvalue()
    assert len(lines) == 5
    hosts = [match["host"] for line in lines if (match := failed.search(line))]
    assert hosts == ["203.0.113.5"] * 3
    assert all(len(line) < 300 and line.isprintable() for line in lines)
