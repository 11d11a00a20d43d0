"""Installing by `make run`: it says what it does, and a failure is a sentence that leaves nothing half done."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.real_terminal import real_terminal
from tests.shape.sources import ROOT

WORKS = """#!/bin/sh
case "$*" in *install*)
    echo "Collecting textual==8.2.8 (from chinwag)"
    echo "  Downloading textual-8.2.8.whl"
    echo "Installing collected packages: textual"
esac
"""
NO_NETWORK = """#!/bin/sh
case "$*" in *install*)
    echo "WARNING: Retrying after connection broken by NewConnectionError" >&2
    echo "ERROR: Could not find a version that satisfies the requirement textual" >&2
    exit 1
esac
"""
BROKEN = """#!/bin/sh
case "$*" in *install*) echo "ERROR: disk quota exceeded" >&2; exit 1; esac
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone whose virtual environment is there, with a pip that does as it is told."""
    folder = tmp_path / "clone"
    (folder / ".venv" / "bin").mkdir(parents=True)
    shutil.copytree(ROOT / ".ci", folder / ".ci")
    for name in ("Makefile", "pyproject.toml", "constraints.txt", "constraints-run.txt"):
        shutil.copy(ROOT / name, folder)
    return folder


def _python(clone: Path, script: str) -> None:
    python = clone / ".venv" / "bin" / "python"
    python.write_text(script)
    python.chmod(0o755)


def _make(clone: Path) -> subprocess.CompletedProcess[str]:
    # As at a prompt: these tests run below `make test`, and a make below a make says more.
    alone = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(
        ["make", ".venv/.run"], cwd=clone, env=alone, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("pip", "sentence"),
    [
        (NO_NETWORK, "Check the network, then run make again."),
        (BROKEN, "Could not install Chinwag: ERROR: disk quota exceeded"),
    ],
)
def test_what_failed_is_tried_again(clone: Path, pip: str, sentence: str) -> None:
    """One sentence says what to do; when that is done, the same command installs."""
    _python(clone, pip)
    failed = _make(clone)
    assert failed.returncode != 0
    assert sentence in failed.stderr
    assert not (clone / ".venv" / ".run").exists()
    _python(clone, WORKS)
    assert _make(clone).stdout == "Installing Chinwag into .venv (once, about a minute) …\n"
    assert "up to date" in _make(clone).stdout


async def test_a_terminal_shows_what_is_done(clone: Path) -> None:
    """I see that it works, line by line, and nothing of it stays."""
    _python(clone, WORKS)
    async with real_terminal(["make", "-C", str(clone), ".venv/.run"], {}) as seen:
        await seen.exits()
        await seen.until(b"  downloading textual")
        await seen.until(b"  compiling")
        await seen.settle()
        assert not any(line.startswith("  ") for line in seen.lines if line)
