"""Editing in an external editor: the text goes to a private file and is read back from it."""

import os
import shlex
import tempfile
from pathlib import Path

from tui.errors import ConfigError
from tui.host import LOCAL, Host


def edit_outside(text: str, host: Host = LOCAL) -> str:
    """Return `text` as `$VISUAL` or `$EDITOR` left it. The caller must have released the terminal. Raises
    ConfigError.
    """
    host.require("editor")
    editor = host.variable("VISUAL") or host.variable("EDITOR") or "vi"
    try:
        command = shlex.split(editor)
    except ValueError as error:
        raise ConfigError(f"$VISUAL or $EDITOR is {editor!r}: {error}.") from error
    if not command:
        raise ConfigError("$VISUAL or $EDITOR is empty.")
    program = Path(command[0]).name
    handle, name = tempfile.mkstemp(prefix="chinwag-", suffix=".md")  # made with mode 0600
    path = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        try:
            status = host.run_editor([*command, name])
        except OSError as error:
            raise ConfigError(f"{program} does not start: {error.strerror}.") from error
        if status != 0:
            raise ConfigError(f"{program} ended with {status}; nothing was changed.")
        try:
            return path.read_text("utf-8").rstrip("\n")
        except (OSError, UnicodeDecodeError) as error:
            reason = "is not UTF-8" if isinstance(error, ValueError) else "is gone"
            raise ConfigError(f"The file of {program} {reason}; nothing was changed.") from error
    finally:
        path.unlink(missing_ok=True)
