"""The last open narrow of an account, for the next start. One small file; no network."""

import contextlib
from pathlib import Path

from tui.errors import BadNarrow
from tui.narrow import Directory, Narrow, Search, format_terms, narrow_of, parse, resolve
from tui.regular_file import read_text, replacing

MOST_BYTES = 4096


class LastPlace:
    """The narrow in the search language; with IDs, not names."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._kept: Narrow | None = None

    def keep(self, narrow: Narrow) -> None:
        """Save the narrow for the next start. Searches are not saved; disk errors are ignored."""
        if isinstance(narrow, Search) or narrow == self._kept:
            return
        self._kept = narrow
        terms = format_terms(narrow.terms())
        with contextlib.suppress(OSError), replacing(self._path, ".place-", synced=False) as file:
            file.write(terms.encode())

    def read(self, directory: Directory) -> Narrow | None:
        """Return the saved narrow; None if there is none or it is not valid any more."""
        try:
            if self._path.stat().st_size > MOST_BYTES:
                return None
            terms = resolve(parse(read_text(self._path)), directory)
        except (OSError, ValueError, BadNarrow):
            return None
        self._kept = narrow_of(terms, directory.self_id)
        return self._kept
