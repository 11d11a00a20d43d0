"""Tab in a shell offers what the command line understands."""

import argparse
import shutil
import subprocess
from pathlib import Path

import pytest

from tui.cli import completions
from tui.cli.arguments import parser

FOR_BASH = completions.script("bash")


def offered(*typed: str, folder: Path | None = None) -> list[str]:
    """What bash offers for the last word."""
    words = " ".join(f"'{word}'" for word in ("chinwag", *typed))
    script = "\n".join(
        [
            FOR_BASH,
            f"COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _shtab_chinwag 2>/dev/null",
            'printf "%s\\n" "${COMPREPLY[@]}"',
        ]
    )
    bash = shutil.which("bash")
    assert bash is not None
    run = subprocess.run(
        [bash, "--norc", "-c", script],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=10,
    )
    assert run.stderr == ""
    return run.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["se"], ["send", "search", "serve-ssh"]),
        (["send", "--d"], ["--dm"]),
        (["--theme", "x", "tail", "--f"], ["--follow"]),
        (["completions", "f"], ["fish"]),
        (["--theme", "chinwag-l"], ["chinwag-light"]),
        (["local", "--theme", "gruv"], ["gruvbox"]),
        (["send", "--to", "x"], []),
        (["send", "--zuliprc", "zul"], ["zuliprc"]),
    ],
)
def test_bash_offers_commands_and_their_options(
    typed: list[str], expected: list[str], tmp_path: Path
) -> None:
    """Commands first, then the options of the one that was typed, files where it takes one."""
    (tmp_path / "zuliprc").touch()
    assert offered(*typed, folder=tmp_path) == expected


def options(whole: argparse.ArgumentParser) -> list[str]:
    """Every command and long option."""
    names = []
    for action in whole._actions:
        names += [flag.removeprefix("--") for flag in action.option_strings if flag[:2] == "--"]
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                names += [name, *options(command)]
    return names


@pytest.mark.parametrize("shell", completions.SHELLS)
def test_every_shell_knows_every_word(shell: str) -> None:
    """No command and no long option is left out."""
    script = completions.script(shell)
    assert [each for each in options(parser()) if each not in script] == []
