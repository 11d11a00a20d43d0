"""docs/map.md lists every module as it is."""

import subprocess
import sys

from tests.shape.sources import ROOT


def test_the_map_is_up_to_date() -> None:
    """Who looks for a module finds it on the map; `make map` draws it anew."""
    code = "import runpy; print(runpy.run_path('docs/map.py')['page'](), end='')"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout == (ROOT / "docs" / "map.md").read_text("utf-8"), "run `make map`"
