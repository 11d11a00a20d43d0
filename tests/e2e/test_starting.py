"""Starting where something is not as it should be: a sentence, and as much as there can be."""

from pathlib import Path

import pytest

from tests.e2e.team import KETTLE, team
from tests.live import live
from tests.real_terminal import CHINWAG, real_client, real_terminal


async def test_wrong_settings_are_told_and_the_others_hold(tmp_path: Path) -> None:
    """I misspelt one line of config.toml: Chinwag starts, names the line, and keeps the rest."""
    config = 'color = "red"\ntheme = "chinwag-light"\nclock = "13h"\n'
    async with live(tmp_path) as server:
        ann, _, _ = await team(server)
        async with real_client(
            server, ann, tmp_path, config=config, size=(160, 45), warm=False
        ) as seen:
            await seen.shows(
                KETTLE, "config.toml, line 1: there is no", "config.toml, line 3: clock must"
            )


@pytest.mark.parametrize(
    ("term", "command", "sentence"),
    [
        ("dumb", CHINWAG, "chinwag: this terminal (TERM=dumb) cannot draw a screen"),
        ("xterm", f"{CHINWAG} </dev/null", "chinwag: a terminal is needed"),
        ("xterm", f"{CHINWAG} | cat; exit 1", "chinwag: a terminal is needed"),
    ],
)
async def test_without_a_terminal_for_it_nothing_is_drawn(
    tmp_path: Path, term: str, command: str, sentence: str
) -> None:
    """In an editor's shell, or in a pipe: one sentence that says what works instead."""
    environment = {"CHINWAG_HOME": str(tmp_path), "TERM": term}
    async with real_terminal(["/bin/sh", "-c", command], environment, size=(200, 24)) as seen:
        await seen.shows(sentence, "chinwag --help")
        assert await seen.exits() == 1
        assert b"\x1b[" not in seen.written
