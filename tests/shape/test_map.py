"""Generated pages are as their sources are: docs/map.md and docs/keys.md."""

import re
import subprocess
import sys

import pytest

from tests.shape.sources import ROOT


@pytest.mark.parametrize("name", ["map", "keys"])
def test_a_generated_page_is_up_to_date(name: str) -> None:
    """Who looks for a module or a key finds it under its name of now; `make map` writes both."""
    code = f"import runpy; print(runpy.run_path('docs/{name}.py')['page'](), end='')"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout == (ROOT / "docs" / f"{name}.md").read_text("utf-8"), "run `make map`"


def test_the_page_of_tests_names_every_folder() -> None:
    """A newcomer finds the tests of each folder, and the paths that are named there exist."""
    page = (ROOT / "docs" / "testing.md").read_text("utf-8")
    paths = set(re.findall(r"`((?:tests|tui|server_lite)/[\w/.]+)`", page))
    assert [
        path for path in paths - {"tests/unit/tui/test_NAME.py"} if not (ROOT / path).exists()
    ] == []
    folders = {
        file.parent.relative_to(ROOT).as_posix()
        for package in ("tui", "server_lite")
        for file in (ROOT / package).glob("*/__init__.py")
    }
    assert folders <= paths


def test_a_decision_has_a_number_of_its_own() -> None:
    """Others refer to it by that number, which stands in its title too."""
    pages = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    numbers = [page.name[:4] for page in pages]
    assert len(set(numbers)) == len(numbers)
    for page, number in zip(pages, numbers, strict=True):
        assert page.read_text("utf-8").startswith(
            (f"# {number} ", f"# {number}. ", f"# {number}: ")
        )
