"""Access to the machine: full at home, none where the client is hosted. No Textual.

In a session over SSH (`tui.ssh`) the machine belongs to someone else: a path that a visitor types would be
read with the permissions of all visitors, a program would be started there. So everything outside of the
client's own folders goes through the one `Host` of its process: it starts programs, knows the home folder,
and refuses with a sentence that names an alternative.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias

from tui.dataclass import dataclass
from tui.errors import ConfigError

if TYPE_CHECKING:
    # Imported with the first program: a start needs none of it.
    from asyncio.subprocess import Process

Ability: TypeAlias = Literal["files", "programs", "editor", "browser", "servers"]
"""files: paths that the user names; servers: other servers than that of the account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessKey:
    """An SSH key of the user; `is_here`: it opened this session. Times in UNIX seconds."""

    digest: str
    label: str
    is_bound: bool
    is_here: bool
    noted: float
    used: float | None


class AccessKeys(Protocol):
    """The SSH keys of a hosted client's user. Each call blocks for a moment; raises ConfigError."""

    def keys(self) -> list[AccessKey]:
        """Return all keys, oldest first."""

    def revoke(self, digest: str) -> None:
        """Revoke a key, and end the sessions that it opened."""

    def token(self) -> str:
        """Return a token for another device, good once and for ten minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """`LOCAL`, or the result of `hosted`; asked by `can` and `require`, or by its other methods."""

    refused: Mapping[Ability, str] = field(default_factory=dict)
    """The sentence for each ability that is refused."""
    site: str = ""
    """The only server that may be used; "" for any."""
    access: AccessKeys | None = None
    """The user's SSH keys; None on their own machine."""
    command: str = ""
    """The command that connects the user's machine to this one, such as `ssh -p 2222 chat.example.com`."""

    @property
    def is_local(self) -> bool:
        """Whether the machine is the user's own."""
        return not self.refused

    def can(self, ability: Ability) -> bool:
        """Whether the ability is available here."""
        return ability not in self.refused

    def require(self, ability: Ability) -> None:
        """Raise ConfigError, with an alternative, if the ability is refused."""
        if ability in self.refused:
            raise ConfigError(self.refused[ability])

    # Programs

    def which(self, program: str) -> str | None:
        """Return a program's path; None where there is none, or none may be started."""
        import shutil  # no start waits for it

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
        """Start a program, never a shell, with pipes for input, output and errors as asked. Raises OSError.

        Without `environment` it gets this process's; with `is_alone` no key of the terminal reaches it.
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
        """Run the user's editor and return its exit status; it has the terminal meanwhile. Raises OSError."""
        self.require("editor")
        # No shell: the words of the variable are the program and its arguments.
        return subprocess.run(command, check=False).returncode  # noqa: S603  # the user's own choice

    # Files

    def expanded(self, text: str) -> Path:
        """Return the path of a typed text, with `~` as the home folder."""
        self.require("files")
        try:
            return Path(text).expanduser()
        except RuntimeError:  # the home of a user who does not exist
            return Path(text)

    def downloads(self, chosen: str) -> Path:
        """Return the folder for downloads; `chosen` "" for the machine's usual one."""
        self.require("files")
        if chosen:
            return self.expanded(chosen)
        import platformdirs

        return platformdirs.user_downloads_path()

    def variable(self, name: str) -> str:
        """Return an environment variable; "" if it is unset, and always on a hosted client."""
        return os.environ.get(name, "") if self.is_local else ""


async def end_input(process: Process) -> None:
    """Close the input of a program that has ended; it may have read only a part of it.

    asyncio before Python 3.11.5 reports that as a bug unless it is waited for. Waits for a second at most:
    another process may hold the input open.
    """
    import asyncio

    assert process.stdin is not None
    process.stdin.close()
    with suppress(OSError):  # a TimeoutError is one
        async with asyncio.timeout(1):
            await process.stdin.wait_closed()


LOCAL: Final = Host()


def hosted(*, site: str, command: str, access: AccessKeys | None = None) -> Host:
    """Return the host for a visitor by SSH: `site` is the one server, `command` how they connect."""
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
    """Return the host of an application; the user's own machine where it has none."""
    host = getattr(app, "host", None)
    return host if isinstance(host, Host) else LOCAL
