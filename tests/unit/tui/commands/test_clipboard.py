"""The image in the clipboard: which programs are asked, what of their output is taken, what is missing."""

import base64
from pathlib import Path

import pytest

from tui.commands import clipboard
from tui.errors import ConfigError

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are found; nothing is in it."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION", "SSH_TTY", "WSL_DISTRO_NAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    return tmp_path


def _program(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


@pytest.mark.parametrize(
    ("platform", "environment", "names"),
    [
        ("linux", {"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}, ["wl-paste", "xclip"]),
        ("linux", {"DISPLAY": ":0", "WSL_DISTRO_NAME": "x"}, ["xclip", "powershell.exe"]),
        ("linux", {}, []),
        ("darwin", {}, ["pngpaste", "osascript"]),
        ("win32", {}, ["powershell.exe"]),
    ],
)
def test_programs_are_those_of_the_machine(
    platform: str, environment: dict[str, str], names: list[str]
) -> None:
    """Without a display none is started: it would wait for one."""
    assert [each.program for each in clipboard.readers(platform, environment)] == names


async def test_the_image_comes_from_the_program_that_has_it(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first one has no image, the second one does; its arguments are fixed."""
    monkeypatch.setenv("WAYLAND_DISPLAY", "w")
    monkeypatch.setenv("DISPLAY", ":0")
    (programs / "image").write_bytes(PNG)
    _program(programs, "wl-paste", "exit 1")
    _program(
        programs,
        "xclip",
        f'[ "$*" = "-selection clipboard -target image/png -out" ] && exec /bin/cat {programs}/image',
    )
    assert await clipboard.read_image(most_mib=1) == clipboard.Image(PNG, "png")


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("echo hello", "no image in the clipboard"),
        ("exec /bin/cat /dev/zero", "no image in the clipboard"),
        (r"printf '\211PNG\r\n\032\n'; exec /bin/cat /dev/zero", "the limit is 1 MiB"),
        ("exec /bin/sleep 100", "wl-paste did not answer within 0 s"),
    ],
)
async def test_what_a_program_may_do_wrong(
    programs: Path, monkeypatch: pytest.MonkeyPatch, script: str, sentence: str
) -> None:
    """Text, no end of it, an image without end, no answer: each is a sentence, and the program is gone."""
    monkeypatch.setenv("WAYLAND_DISPLAY", "w")
    monkeypatch.setattr(clipboard, "SECONDS", 0.3 if "sleep" in script else 5.0)
    _program(programs, "wl-paste", script)
    with pytest.raises(ConfigError, match=sentence):
        await clipboard.read_image(most_mib=1)


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"WAYLAND_DISPLAY": "w"}, "needs wl-paste. Install wl-clipboard"),
        ({"DISPLAY": ":0"}, "needs xclip"),
        ({"SSH_CONNECTION": "1"}, "Over SSH"),
        ({}, "neither WAYLAND_DISPLAY nor DISPLAY"),
    ],
)
@pytest.mark.usefixtures("programs")
async def test_what_is_missing_is_told(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], sentence: str
) -> None:
    """By the name of what to install, or why nothing helps."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ConfigError, match=sentence):
        await clipboard.read_image(most_mib=1)


def test_programs_that_write_digits_are_read() -> None:
    """AppleScript writes hexadecimal digits, PowerShell Base64 in lines; other output is none."""
    assert clipboard.decoded(f"«data PNGf{PNG.hex().upper()}»\n".encode(), "applescript") == PNG
    assert clipboard.decoded(base64.encodebytes(PNG).replace(b"\n", b"\r\n"), "base64") == PNG
    assert clipboard.decoded(b"", "base64") == b""
    assert clipboard.decoded(b"\xab no image", "base64") == b""
    assert clipboard.decoded(b"execution error", "applescript") == b""
