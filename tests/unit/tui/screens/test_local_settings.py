"""The list of this machine's settings: its sentences are true for the keys that were chosen."""

from tui.config import Settings
from tui.keys import Keyboard, keymap
from tui.screens.local_settings import rows


def _sentences(settings: Settings) -> dict[str, str]:
    return {
        str(row.key): row.columns[-1] for row in rows(settings, Keyboard(keymap=keymap(settings)))
    }


def test_keys_are_named_as_they_were_chosen() -> None:
    """I moved both; the list does not send me to keys that do something else now."""
    usual = _sentences(Settings())
    assert "Ctrl+S sends" in usual["enter_sends"]
    keys = {"composer.send": "f12", "app.keys": "ctrl+e"}
    own = _sentences(Settings(keys=keys))
    assert "F12 sends" in own["enter_sends"]
    assert own["keys_preset"].endswith("single keys: Ctrl+E")
