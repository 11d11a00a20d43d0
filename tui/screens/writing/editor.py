"""Writing in another program: the text goes to a private file and comes back from it."""

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from tui.errors import ConfigError


def edit_outside(text: str) -> str:
    """`text` as `$VISUAL` or `$EDITOR` left it. The terminal must have been given up before."""
    command = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    handle, name = tempfile.mkstemp(prefix="chinwag-", suffix=".md")  # made with mode 0600
    path = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        try:
            # No shell: the words of the variable are the program and its arguments.
            done = subprocess.run([*command, name], check=False)  # noqa: S603 -- the person's own choice
        except OSError as error:
            raise ConfigError(f"{command[0]} does not start: {error.strerror}.") from error
        if done.returncode != 0:
            raise ConfigError(f"{command[0]} ended with {done.returncode}; nothing was changed.")
        return path.read_text("utf-8").rstrip("\n")
    finally:
        path.unlink(missing_ok=True)
