"""The image in the clipboard, read by a program of this machine. Raises ConfigError.

Programs are found by name and get fixed arguments, never a shell; time and size are limited.
"""

import asyncio
import base64
import binascii
import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Final, Literal

from tui.dataclass import dataclass
from tui.errors import ConfigError
from tui.host import LOCAL, Host

SECONDS: Final = 10.0
"""Seconds after which a program that does not answer is killed; reading over a network takes a while."""
_MADE_LARGER: Final = 3
"""The output of a program that writes hexadecimal digits is at most this many times as large as the image."""
_KINDS: Final = {
    b"\x89PNG\r\n\x1a\n": "png",
    b"\xff\xd8\xff": "jpg",
    b"GIF8": "gif",
    b"BM": "bmp",
    b"II*\x00": "tiff",
    b"MM\x00*": "tiff",
}
_POWERSHELL: Final = (
    "Add-Type -AssemblyName System.Windows.Forms,System.Drawing;"
    "$i=[System.Windows.Forms.Clipboard]::GetImage();"
    "if($i){$m=New-Object IO.MemoryStream;"
    "$i.Save($m,[System.Drawing.Imaging.ImageFormat]::Png);"
    "[Convert]::ToBase64String($m.ToArray())}"
)
_OF_APPLESCRIPT: Final = re.compile(rb"\xc2\xabdata PNGf([0-9A-Fa-f]*)\xc2\xbb")


@dataclass(frozen=True, slots=True)
class Reader:
    """A program that writes the image in the clipboard to its output, as PNG or as `form` says."""

    program: str
    arguments: tuple[str, ...]
    form: Literal["bytes", "base64", "applescript"] = "bytes"


@dataclass(frozen=True, slots=True)
class Image:
    """An image; `ending` is the suffix of its file name, by its content."""

    data: bytes
    ending: str


_WAYLAND: Final = Reader("wl-paste", ("--no-newline", "--type", "image/png"))
_X11: Final = Reader("xclip", ("-selection", "clipboard", "-target", "image/png", "-out"))
_MAC: Final = (
    Reader("pngpaste", ("-",)),
    Reader("osascript", ("-e", "get the clipboard as «class PNGf»"), "applescript"),
)
_WINDOWS: Final = Reader(
    "powershell.exe",
    ("-NoProfile", "-NonInteractive", "-STA", "-Command", _POWERSHELL),
    "base64",
)


def readers(platform: str, environment: Mapping[str, str]) -> list[Reader]:
    """Return the programs that could read the clipboard here, the best first."""
    if platform == "darwin":
        return list(_MAC)
    if platform == "win32":
        return [_WINDOWS]
    candidates = [_WAYLAND] if environment.get("WAYLAND_DISPLAY") else []
    candidates += [_X11] if environment.get("DISPLAY") else []
    # WSL: the clipboard is that of Windows.
    return [*candidates, _WINDOWS] if environment.get("WSL_DISTRO_NAME") else candidates


async def read_image(*, most_mib: int, host: Host = LOCAL) -> Image:
    """Return the image in the clipboard; raises ConfigError with what is missing."""
    host.require("programs")
    candidates = readers(sys.platform, os.environ)
    installed = [(each, path) for each in candidates if (path := host.which(each.program))]
    if not installed:
        raise ConfigError(_missing(candidates, os.environ))
    for reader, path in installed:
        output = await _output(host, path, reader, most=most_mib * 2**20)
        data = decoded(output, reader.form)
        ending = next((kind for start, kind in _KINDS.items() if data.startswith(start)), "")
        if ending and len(data) > most_mib * 2**20:
            raise ConfigError(f"The image is too large; the limit is {most_mib} MiB.")
        if ending:
            return Image(data, ending)
    raise ConfigError("There is no image in the clipboard.")


def _missing(candidates: list[Reader], environment: Mapping[str, str]) -> str:
    if candidates:
        package = "wl-clipboard" if candidates[0] is _WAYLAND else candidates[0].program
        return (
            f"Reading images from the clipboard needs {candidates[0].program}. Install {package}."
        )
    if environment.get("SSH_CONNECTION") or environment.get("SSH_TTY"):
        return (
            "Over SSH the clipboard of your own machine cannot be read. "
            "Copy the image here as a file, and attach that."
        )
    return "There is no clipboard here: neither WAYLAND_DISPLAY nor DISPLAY is set."


async def _output(host: Host, path: str, reader: Reader, *, most: int) -> bytes:
    """Return the program's output, cut off a little above `most` bytes; b"" where it fails."""
    try:
        process = await host.start(path, *reader.arguments, gives=True)
    except OSError as error:
        raise ConfigError(f"{reader.program} does not start: {error.strerror}.") from error
    assert process.stdout is not None, "asked for above"
    limit = most * (1 if reader.form == "bytes" else _MADE_LARGER) + 1024
    parts: list[bytes] = []
    try:
        async with asyncio.timeout(SECONDS):
            while limit > 0 and (part := await process.stdout.read(min(limit, 65_536))):
                parts.append(part)
                limit -= len(part)
    except TimeoutError as error:
        raise ConfigError(f"{reader.program} did not answer within {SECONDS:.0f} s.") from error
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        with suppress(TimeoutError):
            async with asyncio.timeout(1.0):  # its last output is read, so that the pipe closes
                while await process.stdout.read(65_536):
                    pass
        await process.wait()
    return b"".join(parts)


def decoded(output: bytes, form: str) -> bytes:
    """Return the image in a program's output; b"" if there is none."""
    try:
        match form:
            case "base64":
                return base64.b64decode(b"".join(output.split()), validate=True)
            case "applescript":
                match = _OF_APPLESCRIPT.search(output)
                return binascii.unhexlify(match[1]) if match else b""
            case _:
                return output
    except (binascii.Error, ValueError):
        return b""
