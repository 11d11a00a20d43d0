"""Drafts on two machines, whatever happens: no word is lost, and in the end the server has every draft."""

from pathlib import Path

import pytest

from tests.unit.tui.screens.two_machines import Walk

STEPS = 80
SEEDS = (12, 20, 24, 27, 33)
"""Walks in which words were lost once."""


@pytest.mark.parametrize("seed", SEEDS)
async def test_no_word_is_lost_between_two_machines(tmp_path: Path, seed: int) -> None:
    """I write here, then there, on and off line; what I did not send or clear is there in the end."""
    await Walk(seed, tmp_path).run(STEPS)


@pytest.mark.soak
@pytest.mark.timeout(1200)
async def test_no_word_is_lost_in_many_walks(tmp_path: Path) -> None:
    """The same, with other chances."""
    for seed in range(1000, 1400):
        folder = tmp_path / str(seed)
        folder.mkdir()
        await Walk(seed, folder).run(STEPS)
