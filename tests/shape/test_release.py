"""What strangers get: one version, one home, archives with everything in them, and pages that are up to date."""

import re
import runpy
import subprocess
import sys
import tarfile
import tomllib
import zipfile

import pytest

import server_lite
import tui
from tests.shape.sources import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PLACEHOLDER = "chinwag.example"
FOR_DEVELOPERS = {
    f"server_lite/markup/data/{name}"
    for name in ("README.md", "make_emoji.py", "make_top_level_domains.py")
}


def test_client_and_server_have_one_version() -> None:
    """`chinwag --version` and `chinwag-server --version` say the same."""
    assert tui.VERSION == server_lite.VERSION


def test_the_home_of_the_project_is_set_in_one_place() -> None:
    """After changing it in pyproject.toml, this test lists the files that name the old one."""
    home = PROJECT["urls"]["Homepage"].removeprefix("https://")
    assert all(url.startswith(f"https://{home}") for url in PROJECT["urls"].values())
    named = ["*.md", "*.yml", "docs/*.md", "docs/guide/*.md", "packaging/**/*", ".github/**/*"]
    files = {file for each in named for file in ROOT.glob(each) if file.is_file()}
    naming = {
        str(file.relative_to(ROOT)) for file in files if PLACEHOLDER in file.read_text("utf-8")
    }
    assert home == PLACEHOLDER or naming <= {"docs/releasing.md"}
    known = {"SECURITY.md", "packaging/homebrew/chinwag.rb", "packaging/debian/control"}
    assert home != PLACEHOLDER or known <= naming, "text of every kind is read"


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The names in the wheel (".whl") and in the source archive (".gz"), built now."""
    to = tmp_path_factory.mktemp("archives")
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(to)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,), (source,) = to.glob("*.whl"), to.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as zipped, tarfile.open(source) as tar:
        return {
            ".whl": set(zipped.namelist()),
            ".gz": {name.partition("/")[2] for name in tar.getnames()},
        }


def test_the_wheel_has_what_the_programs_need_and_nothing_else(
    archives: dict[str, set[str]],
) -> None:
    """Installed from the wheel, both programs find their data, and no test comes along."""
    expected = {
        path.relative_to(ROOT).as_posix()
        for package in ("tui", "server_lite")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    } - FOR_DEVELOPERS
    version = f"chinwag-{server_lite.VERSION}"
    dist = {
        "METADATA",
        "WHEEL",
        "RECORD",
        "entry_points.txt",
        "licenses/LICENSE",
        "licenses/NOTICE",
    }
    shared = {
        "man/man1/chinwag.1",
        "man/man1/chinwag-server.1",
        "bash-completion/completions/chinwag",
        "zsh/site-functions/_chinwag",
        "fish/vendor_completions.d/chinwag.fish",
    }
    beside = {f"{version}.dist-info/{name}" for name in dist}
    beside |= {f"{version}.data/data/share/{name}" for name in shared}
    assert archives[".whl"] == expected | beside


def test_the_source_archive_builds_and_tests_itself(archives: dict[str, set[str]]) -> None:
    """Who packages Chinwag from it misses nothing that `make` needs, and gets nobody's leftovers."""
    names = archives[".gz"]
    assert {
        "Makefile",
        "LICENSE",
        "NOTICE",
        "constraints.txt",
        ".ci/install",
        "tests/eg.py",
    } <= names
    assert "packaging/man/chinwag.1" in names
    assert [
        name for name in names if re.search(r"__pycache__|\.pyc$|^\.(venv|cache|git/)", name)
    ] == []


def test_manuals_and_completions_are_up_to_date() -> None:
    """Every option is in `man chinwag`, and offered at Tab, under its name of now."""
    files = runpy.run_path(str(ROOT / "docs" / "manual.py"))["files"]()
    for path, text in files.items():
        assert (ROOT / "packaging" / path).read_text("utf-8") == text, "run `make map`"
