"""What the client may do with its machine: all at home, nothing where it is hosted. No Textual.

In a session over SSH (`tui.ssh`) the machine is somebody else's: a path that a visitor types would be read with the
rights of all visitors, a program would be started there. So whatever leaves the client's own folders asks the one
`Host` of its process: it starts the programs, knows the home folder, and refuses with a sentence that says what to
do instead.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias

from tui.dataclass import dataclass
from tui.errors import ConfigError

if TYPE_CHECKING:
    # Imported with the first program: a start needs none of it.
    from asyncio.subprocess import Process

Ability: TypeAlias = Literal["files", "programs", "editor", "browser", "servers"]
"""files: paths that the person names; servers: other servers than that of the account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessKey:
    """An SSH key of the person; `is_here`: this session was opened with it. Times in UNIX seconds."""

    digest: str
    label: str
    is_bound: bool
    is_here: bool
    noted: float
    used: float | None


class AccessKeys(Protocol):
    """Keys by which the person comes to a client that is hosted. Each call blocks for a moment; raises ConfigError."""

    def keys(self) -> list[AccessKey]:
        """All of them, the first first."""

    def revoke(self, digest: str) -> None:
        """End what a key opens, and the sessions that it opened."""

    def token(self) -> str:
        """A token for another device, good once and for ten minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """`LOCAL`, or what `hosted` makes; asked by `can` and `require`, or by doing something through it."""

    refused: Mapping[Ability, str] = field(default_factory=dict)
    """The sentence for everything that cannot be done."""
    site: str = ""
    """The only server that there is; "" for any."""
    access: AccessKeys | None = None
    """How the person comes here; None on their own machine."""
    command: str = ""
    """What the person runs on their own machine to reach this one, such as `ssh -p 2222 chat.example.com`."""

    @property
    def is_local(self) -> bool:
        """Whether the machine is the person's own."""
        return not self.refused

    def can(self, ability: Ability) -> bool:
        """Whether something of the kind is done here."""
        return ability not in self.refused

    def require(self, ability: Ability) -> None:
        """Raises ConfigError, with what to do instead, where it is not."""
        if ability in self.refused:
            raise ConfigError(self.refused[ability])

    # Programs

    def which(self, program: str) -> str | None:
        """Where a program is; None where there is none, or none may be started."""
        return shutil.which(program) if self.can("programs") else None

    async def start(
        self,
        *command: str,
        folder: Path | None = None,
        takes: bool = False,
        gives: bool = False,
        complains: bool = False,
        environment: Mapping[str, str] | None = None,
        is_alone: bool = False,
    ) -> Process:
        """A program, never a shell, with pipes for what it takes, gives and complains of. Raises OSError.

        Without an `environment` it has this one; alone, no key of the terminal reaches it.
        """
        import asyncio

        self.require("programs")
        pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        return await asyncio.create_subprocess_exec(
            *command,
            cwd=folder,
            stdin=pipe if takes else nothing,
            stdout=pipe if gives else nothing,
            stderr=pipe if complains else nothing,
            env=environment,
            start_new_session=is_alone,
        )

    def run_editor(self, command: Sequence[str]) -> int:
        """The status with which the person's editor ended; it has the terminal meanwhile. Raises OSError."""
        self.require("editor")
        # No shell: the words of the variable are the program and its arguments.
        return subprocess.run(command, check=False).returncode  # noqa: S603  # the person's own choice

    # Files

    def expanded(self, text: str) -> Path:
        """The path of what was typed, with `~` as the home."""
        self.require("files")
        try:
            return Path(text).expanduser()
        except RuntimeError:  # the home of somebody who is not there
            return Path(text)

    def downloads(self, chosen: str) -> Path:
        """The folder for files that are fetched; "" for the machine's usual one."""
        self.require("files")
        if chosen:
            return self.expanded(chosen)
        import platformdirs

        return platformdirs.user_downloads_path()

    def variable(self, name: str) -> str:
        """What the environment says; "" for nothing, and for everything of a machine that is not the person's."""
        return os.environ.get(name, "") if self.is_local else ""


LOCAL: Final = Host()


def hosted(*, site: str, command: str, access: AccessKeys | None = None) -> Host:
    """For somebody whose terminal is elsewhere: `site` is the one server, `command` how they came."""
    return Host(
        refused={
            "files": "Over SSH, files of your machine are sent and fetched by commands:"
            f" {command} upload NAME < FILE",
            "programs": "Over SSH, no other programs can be started.",
            "editor": "Over SSH, no other editor can be started. Write here; pasting works.",
            "browser": "Over SSH, no browser can be started. Open the address in yours.",
            "servers": f"Here you can use only {site}.",
        },
        site=site,
        access=access,
        command=command,
    )


def host_of(app: object) -> Host:
    """The host of an application; the person's own machine where it has none."""
    host = getattr(app, "host", None)
    return host if isinstance(host, Host) else LOCAL
