"""What is installed: pinned, with hashes, and compared with advisories where there are some."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shape.sources import ROOT

PIN = re.compile(r"([A-Za-z0-9._-]+)==([^\s;\\]+)")


@pytest.mark.parametrize("name", ["constraints.txt", "constraints-run.txt"])
def test_every_package_is_pinned_with_hashes(name: str) -> None:
    """Nothing is installed that is not the very file that was tested, whatever the index serves."""
    text = (ROOT / name).read_text()
    assert "://" not in text
    packages = [part for part in re.split(r"\n(?=[A-Za-z])", text) if not part.startswith("#")]
    assert len(packages) > 20
    assert [part for part in packages if not PIN.match(part) or "--hash=sha256:" not in part] == []


def test_what_builds_the_project_is_pinned() -> None:
    """The version that builds it is the one that is installed with a hash."""
    (built,) = re.findall(
        r'requires = \["(hatchling==[^"]+)"\]', (ROOT / "pyproject.toml").read_text()
    )
    for name in ("constraints.txt", "constraints-run.txt"):
        assert f"\n{built} " in (ROOT / name).read_text()


@pytest.mark.parametrize(
    ("events", "status"),
    [
        ([{"introduced": "0"}], 1),
        ([{"introduced": "0"}, {"fixed": "0.0.1"}], 0),
        ([{"introduced": "0"}, {"last_affected": "999"}], 1),
        ([{"introduced": "999"}], 0),
        ([{"introduced": "0"}, {"fixed": "0.0.1"}, {"introduced": "0.0.2"}, {"fixed": "999"}], 1),
    ],
)
def test_an_advisory_is_found(tmp_path: Path, events: list[dict[str, str]], status: int) -> None:
    """A pinned version in an advisory's range is named, others are not."""
    advisory = {
        "id": "X-1",
        "affected": [
            {
                "package": {"ecosystem": "PyPI", "name": "HTTPX"},
                "ranges": [{"type": "ECOSYSTEM", "events": events}],
            }
        ],
    }
    file = tmp_path / "osv.json"
    file.write_text(json.dumps([advisory]))
    done = subprocess.run(
        [sys.executable, ROOT / ".ci" / "advisories", file],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "X-1" in done.stdout) == (status, status == 1)
