"""The entry point of `chinwag-server`."""

import sys

import pytest

from server_lite.__main__ import main


def test_windows_is_told_what_to_do_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence, in place of the traceback of a module that Windows lacks."""
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(SystemExit, match="WSL"):
        main()
