"""Compresses answers: which encodings the client accepts, and what may be compressed. Knows no endpoint.

Lengths reveal contents: an attacker who sees the lengths of compressed answers, and has text of their own in
them, learns the rest by guessing. So keys and tokens are in separate uncompressed blocks that
nothing around refers to: an answer with another key has the same length.
"""

import asyncio
import importlib
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Final

LEAST: Final = 1024
"""Minimum bytes of a body worth compressing."""
ON_LOOP: Final = 32 * 1024
"""Longest body compressed on the event loop, in about 0.1 ms; longer ones in a thread, and better."""

_KINDS: Final = ("text/", "application/json")
_SECRETS: Final = tuple(
    b'"%s":"' % name for name in (b"api_key", b"token", b"invite_link", b"link_url")
)
"""As they appear in our JSON. Inside of text, a backslash would precede each quote."""
_HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"  # gzip, without name and time
_STORED: Final = 65_535  # bytes of one uncompressed block
_WEIGHT: Final = re.compile(r"\s*q\s*=\s*(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\s*")


def is_compressible(content_type: str) -> bool:
    """Whether this is text; images and the like are already compressed."""
    return content_type.startswith(_KINDS)


async def compressed(encoding: str, body: bytes) -> bytes:
    """Return the body in one of `ENCODERS`, encoded in a thread."""
    # zlib releases the GIL.
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(None, ENCODERS[encoding], body)


def is_long(body: bytes) -> bool:
    """Whether compressing the body would hold up the event loop."""
    return len(body) > ON_LOOP


def encoding_of(accepted: str, body: bytes = b"") -> str:
    """Return the best encoding of the body that the client accepts (`Accept-Encoding`), or ""."""
    if not accepted:
        return ""
    weights: dict[str, float] = {}
    for part in accepted.split(",")[:20]:
        name, _, rest = part.partition(";")
        match = _WEIGHT.fullmatch(rest) if rest else None
        if not rest or match is not None:
            weights[name.strip().lower()] = float(match[1]) if match else 1.0
    others = weights.get("*", 0.0)
    usable = [name for name in ENCODERS if weights.get(name, others) > 0]
    if any(name != "gzip" for name in usable) and any(_secrets(body)):
        usable = [name for name in usable if name == "gzip"]
    return max(usable, key=lambda name: weights.get(name, others), default="")


def gzipped(body: bytes) -> bytes:
    """Return the body as gzip; secrets in it are stored uncompressed, and nothing refers to them."""
    deflate = zlib.compressobj(1 if len(body) <= ON_LOOP else 6, zlib.DEFLATED, -zlib.MAX_WBITS)
    parts = [_HEADER]
    done = 0
    for start, end in _secrets(body):
        parts += [deflate.compress(body[done:start]), deflate.flush(zlib.Z_FULL_FLUSH)]
        parts += _stored(body[start:end])
        done = end
    parts += [deflate.compress(body[done:]), deflate.flush()]
    parts += [zlib.crc32(body).to_bytes(4, "little"), (len(body) % 2**32).to_bytes(4, "little")]
    return b"".join(parts)


def _secrets(body: bytes) -> Iterator[tuple[int, int]]:
    """Yield start and end of each secret, in order."""
    begins: list[int] = []
    for name in _SECRETS:
        at = body.find(name)
        while at >= 0:
            begins.append(at + len(name))
            at = body.find(name, at + len(name))
    for start in sorted(begins):
        end = body.find(b'"', start)
        yield start, end if end >= 0 else len(body)


def _stored(data: bytes) -> Iterator[bytes]:
    """Yield uncompressed deflate blocks of the bytes."""
    for start in range(0, len(data), _STORED):
        part = data[start : start + _STORED]
        length = len(part).to_bytes(2, "little")
        yield b"\x00" + length + bytes(byte ^ 0xFF for byte in length) + part


def _encoders() -> Mapping[str, Callable[[bytes], bytes]]:
    """Return encoders by name, best first. Python has zstd since 3.14."""
    try:
        zstd = importlib.import_module("compression.zstd")
    except ImportError:
        return {"gzip": gzipped}
    return {"zstd": zstd.compress, "gzip": gzipped}


ENCODERS: Final = _encoders()
