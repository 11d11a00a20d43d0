"""Every example in tests/content/markdown renders to exactly its HTML."""

from pathlib import Path
from typing import Final

import pytest

from server_lite.markup.render import render
from tests.unit.server_lite.markup.organization import Organization

FOLDER: Final = Path(__file__).parents[3] / "content" / "markdown"


def _examples() -> list[object]:
    """Title, input and output of each example; the three are parted by lines with a lone dot."""
    examples: list[object] = []
    for path in sorted(FOLDER.glob("*.txt")):
        parts = path.read_bytes().decode().split("\n.\n")
        for title, source, html in zip(parts[0::3], parts[1::3], parts[2::3], strict=False):
            examples.append(pytest.param(source, html, id=f"{path.stem}: {title.strip()}"))
    return examples


@pytest.mark.parametrize(("source", "html"), _examples())
def test_example(source: str, html: str) -> None:
    """What somebody types becomes the HTML that every client of this API can draw."""
    assert render(source, Organization()).html == html
