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
    written = text.encode("utf-8", "replace")
    try:
        handle, name = tempfile.mkstemp(prefix="chinwag-", suffix=".md")  # made with mode 0600
    except OSError as error:
        raise ConfigError(f"A file for {program} cannot be made: {error.strerror}.") from error
    path = Path(name)
    try:
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(written)
        except OSError as error:
            raise ConfigError(f"A file for {program} cannot be made: {error.strerror}.") from error
        try:
            status = host.run_editor([*command, name])
        except OSError as error:
            raise ConfigError(f"{program} does not start: {error.strerror}.") from error
        if status != 0:
            kept = _kept(path, written)
            raise ConfigError(f"{program} ended with {status}; nothing was changed.{kept}")
        try:
            return path.read_text("utf-8").rstrip("\n")
        except (OSError, UnicodeDecodeError) as error:
            reason = "is not UTF-8" if isinstance(error, ValueError) else "is gone"
            kept = _kept(path, written)
            raise ConfigError(
                f"The file of {program} {reason}; nothing was changed.{kept}"
            ) from error
    finally:
        path.unlink(missing_ok=True)


def _kept(path: Path, written: bytes) -> str:
    """Keep what the editor saved, under a name beside; return a sentence on it, "" if there is nothing new."""
    kept = path.with_name(f"{path.stem}-kept.md")
    try:
        if path.read_bytes() in (b"", written):
            return ""
        path.replace(kept)
    except OSError:
        return ""
    return f" What it saved is in {kept}."
