"""Decodes one untrusted picture: `python -m tui.commands.picture_decoder`, started by `decoding`.

Standard input is a line of JSON and the file; standard output a line of JSON and the pixels. Memory and time
are limited, so a file that makes a decoder run for an hour ends only this process.
"""

import json
import sys
from contextlib import suppress
from typing import Any

from tui.content import pixels
from tui.errors import NotAPicture


def _limit(memory: int, seconds: int) -> None:
    """Limit memory and processor time. Windows has no such limits; there only wall time is limited."""
    if sys.platform == "win32":
        return
    import resource

    wished = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }
    for what, most in wished.items():
        with suppress(ValueError, OSError):  # macOS refuses some of them
            hard = resource.getrlimit(what)[1]
            lowest = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(what, (lowest, lowest))


def _decoded(request: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    most = (request["most"][0], request["most"][1])
    is_asked = request["is_asked"]
    if request["ground"] is None:
        png, size = pixels.as_png(data, most, is_asked=is_asked)
        return {"original": size}, png
    red, green, blue = request["ground"]
    image = pixels.scaled(data, most, (red, green, blue), is_asked=is_asked)
    return {"original": image.original, "width": image.width, "height": image.height}, image.rgb


def main() -> None:
    """Answer one request."""
    request = json.loads(sys.stdin.buffer.readline())
    data = sys.stdin.buffer.read()
    _limit(request["memory"], request["seconds"])
    try:
        head, body = _decoded(request, data)
    except NotAPicture as error:
        head, body = {"refused": str(error)}, b""
    except MemoryError:
        head, body = {"refused": pixels.TOO_COSTLY}, b""
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n" + body)


if __name__ == "__main__":
    main()
