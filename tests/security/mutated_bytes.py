"""Bytes that were something once: what strangers, broken proxies and cut lines send."""

import random
from typing import Final

_CHARACTERS: Final = b'\r\n :;,/0123456789abcdef%&=[]{}"\x00\xff\xc3'
_PIECES: Final = (
    b"%ff%fe",
    b"%00",
    b"\xed\xa0\x80",
    b"9" * 30,
    b"-1",
    b"1e999",
    b"[" * 300,
    b"A" * 70_000,
)


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Return the data with up to four changes: characters and pieces replaced, added, removed, repeated, or the end cut off."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(changed) + 1)
        match chance.randrange(7):
            case 0 | 1:
                changed[at : at + 1] = bytes([chance.randrange(256)])
            case 2:
                changed[at:at] = bytes(chance.choices(_CHARACTERS, k=chance.randint(1, 5)))
            case 3:
                del changed[at : at + chance.randint(1, 6)]
            case 4:
                start = chance.randrange(len(changed) + 1)
                changed[at:at] = changed[start : start + chance.randint(1, 40)]
            case 5:
                changed[at:at] = chance.choice(_PIECES)
            case _:
                del changed[at:]
    return bytes(changed)
