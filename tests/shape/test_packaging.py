"""Files for other programs (packaging/, workflows, hooks): their syntax, and that what they name exists."""

import ast
import configparser
import json
import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # its stubs are no package of ours

from server_lite import VERSION
from server_lite.cli import arguments
from tests.shape.sources import ROOT
from tui.cli.arguments import parser as client_parser

PACKAGING = ROOT / "packaging"
UNITS = sorted((PACKAGING / "systemd").iterdir())
WORKFLOWS = sorted((ROOT / ".github" / "workflows").iterdir())
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def is_command(words: list[str]) -> bool:
    """Whether `chinwag-server` takes these words; argparse prints the reason if not."""
    return bool(arguments.parser().parse_args(words).command)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_runs_a_command_that_exists(unit: Path) -> None:
    """A server that is started by systemd is started with options of this version."""
    sections = configparser.ConfigParser(interpolation=None, strict=True)
    sections.optionxform = str  # type: ignore[assignment,method-assign]  # its documented use
    sections.read_string(unit.read_text("utf-8"))
    assert "Description" in sections["Unit"]
    if unit.suffix == ".service":
        program, *words = shlex.split(sections["Service"]["ExecStart"])
        if program.endswith("/chinwag"):
            client_parser().parse_args(words)
        else:
            assert program.endswith("/chinwag-server")
            assert is_command(words)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_knows_every_setting_of_the_units() -> None:
    """A misspelled setting would be ignored with a line in a log, and protect nothing."""
    run = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *map(str, UNITS)],
        capture_output=True,
        text=True,
        check=False,
    )
    ours = [line for line in run.stderr.splitlines() if "chinwag" in line]
    assert [line for line in ours if "is not executable" not in line] == []


def test_the_guide_shows_the_unit_as_it_is() -> None:
    """Who copies it from the guide gets what was tested."""
    guide = (ROOT / "docs" / "guide" / "hosting.md").read_text("utf-8")
    assert f"```ini\n{(PACKAGING / 'systemd' / 'chinwag.service').read_text('utf-8')}```" in guide


def test_the_container_runs_as_a_person_without_rights_and_checks_itself() -> None:
    """It serves its volume with options of this version, not as root, and notices when it hangs."""
    text = (PACKAGING / "Containerfile").read_text("utf-8").replace("\\\n", " ")
    steps = [line.split(maxsplit=1) for line in text.splitlines() if re.match(r"[A-Z]+ ", line)]
    last = dict(steps)
    assert json.loads(last["ENTRYPOINT"]) == ["chinwag-server"]
    assert is_command(json.loads(last["CMD"]))
    assert (last["USER"], last["VOLUME"]) == ("991", "/data")
    assert " --uid 991 " in last["RUN"]
    _, _, check = last["HEALTHCHECK"].partition("CMD ")
    assert ast.parse(json.loads(check)[2])
    for page in (text, (ROOT / "docs" / "guide" / "hosting.md").read_text("utf-8")):
        built = re.findall("podman build (.*)", page)
        assert built
        # Otherwise podman writes images that have no health check.
        assert all("--format docker" in options for options in built)
    copied = re.findall(r"^!(\S+)", (ROOT / ".containerignore").read_text("utf-8"), re.MULTILINE)
    assert [name for name in copied if not (ROOT / name).exists()] == []


def test_packages_of_systems_have_the_version_of_the_programs() -> None:
    """`brew` and `apt` offer what is released, under its own license."""
    formula = (PACKAGING / "homebrew" / "chinwag.rb").read_text("utf-8")
    assert f"chinwag-{VERSION}.tar.gz" in formula
    assert f'license "{PROJECT["license"]}"' in formula
    words = re.search(r"^ +run \[opt_bin/\"chinwag-server\", (.*)\]$", formula, re.MULTILINE)
    assert words is not None
    assert is_command(re.findall(r'"([^"]+)"', words[1]))
    changelog = (PACKAGING / "debian" / "changelog").read_text("utf-8")
    assert changelog.startswith(f"chinwag ({VERSION}-")


def test_the_rules_of_the_debian_package_name_files_that_exist() -> None:
    """`dpkg-buildpackage` does not stop half-way at a file that was renamed."""
    rules = (PACKAGING / "debian" / "rules").read_text("utf-8")
    named = set(re.findall(r"(?<![\w/])packaging/\S+|constraints\S+", rules))
    named |= set((PACKAGING / "debian" / "chinwag.manpages").read_text("utf-8").split())
    assert [name for name in named if not (ROOT / name).exists()] == []
    subprocess.run(
        ["make", "-n", "-f", PACKAGING / "debian" / "rules", "override_dh_auto_install"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow.stem)
def test_a_workflow_runs_what_exists_with_few_rights(workflow: Path) -> None:
    """Each step of a hosted run is a command of this folder; only publishing may ask for a token."""
    text = yaml.safe_load(workflow.read_text("utf-8"))
    assert text["permissions"] == {"contents": "read"}
    for name, job in text["jobs"].items():
        assert 0 < job["timeout-minutes"] <= 360
        assert name == "publish" or "permissions" not in job
        for step in job["steps"]:
            # A tag can be moved to other code; the digest of a commit cannot.
            assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}|", step.get("uses", ""))
            words = shlex.split(step.get("run", ""))
            if words[:1] == ["make"]:
                assert words[1] in TARGETS
            elif words[:1] and words[0].startswith(".ci/"):
                assert (ROOT / words[0]).stat().st_mode & 0o100
    matrix: dict[str, Any] = text["jobs"].get("test", {}).get("strategy", {}).get("matrix", {})
    if matrix:
        named = [f"Programming Language :: Python :: {each}" for each in matrix["python"]]
        assert [each for each in PROJECT["classifiers"] if ":: 3." in each] == named


def test_hooks_and_forms_parse() -> None:
    """A person who contributes meets no error of ours first."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"][0]
    assert {hook["entry"].removeprefix("make ") for hook in hooks["hooks"]} <= TARGETS
    for form in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"):
        assert isinstance(yaml.safe_load(form.read_text("utf-8")), dict)
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8"))
    assert (ROOT / ".devcontainer" / container["build"]["dockerfile"]).exists()


def test_help_lists_what_can_be_typed() -> None:
    """`make help` is how a newcomer finds `make soak`."""
    run = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(re.findall(r"^  make ([a-z]+)", run.stdout, re.MULTILINE)) == TARGETS


@pytest.mark.parametrize("script", ["install", "lock", "package", "run"])
def test_scripts_parse(script: str) -> None:
    """What is run at a release only has no slip that the shell would have named."""
    subprocess.run(["bash", "-n", ROOT / ".ci" / script], check=True)
