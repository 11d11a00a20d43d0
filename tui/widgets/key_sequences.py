"""What terminals send for some keys, where Textual takes it for something else. Reads no terminal."""

from typing import Final

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS

_ALT_DIGITS: Final = tuple(f"\x1b{digit}" for digit in range(10))


def keep_alt_digits() -> None:
    """Let Alt with a digit be that key.

    Textual reads it as the character that Option with the digit makes on a Mac. Terminals there send
    the character itself, unless Option was set to be Alt: then Alt is what is meant.
    """
    assert isinstance(ANSI_SEQUENCES_KEYS, dict), "a table, in the release that is pinned"
    for sequence in _ALT_DIGITS:
        ANSI_SEQUENCES_KEYS.pop(sequence, None)
