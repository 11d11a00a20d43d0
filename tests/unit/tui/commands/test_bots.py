"""What an embedded bot is told. Pure."""

import pytest

from tui.commands.bots import configuration
from tui.errors import ConfigError


def test_the_configuration_is_written_in_lines() -> None:
    """A value may hold colons; a line that says nothing is told, not left out."""
    written = "key: abc\n\n site : https://x.example \n"
    assert configuration(written) == {"key": "abc", "site": "https://x.example"}
    for broken in ("key", ": value"):
        with pytest.raises(ConfigError, match="a key, a colon, a value"):
            configuration(broken)
