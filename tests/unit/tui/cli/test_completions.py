"""Tab in a shell offers what the command line understands."""

import shutil
import subprocess

import pytest

from tui.cli import completions
from tui.cli.arguments import parser

FOUND = completions.commands(parser())


def offered(*typed: str) -> list[str]:
    """What bash offers for the last word."""
    words = " ".join(f"'{word}'" for word in ("chinwag", *typed))
    script = "\n".join(
        [
            *completions.bash(FOUND),
            f"COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _chinwag",
            'printf "%s\\n" "${COMPREPLY[@]}"',
        ]
    )
    bash = shutil.which("bash")
    assert bash is not None
    run = subprocess.run(
        [bash, "--norc", "-c", script], capture_output=True, text=True, check=True, timeout=10
    )
    assert run.stderr == ""
    return run.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["se"], ["send", "search"]),
        (["send", "--d"], ["--dm"]),
        (["--theme", "x", "tail", "--f"], ["--follow"]),
        (["completions", "f"], ["fish"]),
        (["send", "--to", "x"], []),
    ],
)
def test_bash_offers_commands_and_their_options(typed: list[str], expected: list[str]) -> None:
    """Commands first, then the options of the one that was typed, and nothing for free text."""
    assert offered(*typed) == expected


@pytest.mark.parametrize("make", [completions.zsh, completions.fish])
def test_every_shell_knows_every_word(make: object) -> None:
    """No command and no long option is left out."""
    assert callable(make)
    script = "\n".join(make(FOUND))
    for command in FOUND:
        assert command.name in script
        for option in command.options:
            assert all(flag.lstrip("-") in script for flag in option.flags)
