"""Commands without a terminal, `ssh HOST send …`: those that touch no file of this machine."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from tui import accounts
from tui.cli import output
from tui.config import Folders, private_folder
from tui.content.sanitize import sanitize_line
from tui.errors import ConfigError
from tui.host import Host
from tui.ssh.key_client import KeyClient
from tui.ssh.session_request import SessionRequest

OF_THE_COMMAND_LINE: Final = (
    *(
        "send",
        "tail",
        "search",
        "unread",
        "react",
        "status",
        "channels",
        "people",
        "groups",
        "kept",
    ),
)
_REFUSED: Final = ("--zuliprc", "--file", "--theme", "--narrow=")
MOST_UPLOADED: Final = 100 * 2**20
CHUNK: Final = 65_536


def run(request: SessionRequest, here: Folders, host: Host, key_client: KeyClient) -> int:
    """Run the command; return the exit status. Raises TuiError."""
    words = list(request.words)
    if not words or words[0] in ("help", "--help", "-h"):
        return _help(host)
    if accounts.to_open(here) is None:
        raise ConfigError(f"Sign in first: {host.command}")
    name, *rest = words
    match name:
        case "upload":
            return asyncio.run(_upload(here, rest))
        case "get":
            return asyncio.run(_get(here, rest))
        case "keys":
            return _keys(key_client, rest)
        case "link":
            output.show(key_client.token())
            output.print_notice(
                f"For another device, once, for ten minutes: run {host.command} there, and paste it."
            )
            return 0
        case _ if name in OF_THE_COMMAND_LINE:
            return _command_line(name, rest, here)
    raise ConfigError(
        f"There is no command “{sanitize_line(name)[:40]}”. Commands: {host.command} help"
    )


def _help(host: Host) -> int:
    for line in (
        f"{host.command} send '#channel > topic' < text     send a message (or --dm PEOPLE, --reply-to ID)",
        f"{host.command} tail -f                           follow new messages",
        f"{host.command} search WORDS                      find messages",
        f"{host.command} upload NAME < file                upload a file, prints a link to it",
        f"{host.command} get ID > file                     fetch a file of a message",
        f"{host.command} keys                              your SSH keys; keys revoke KEY",
        f"{host.command} link                              a token for another device",
        f"Also: {', '.join(OF_THE_COMMAND_LINE[3:])}",
    ):
        output.show(line)
    return 0


def _command_line(name: str, rest: Sequence[str], here: Folders) -> int:
    """Run a command of `chinwag`, with the same exit codes."""
    from tui.cli.arguments import contradiction, parser

    if refused := next((each for each in rest if each.startswith(_REFUSED)), None):
        raise ConfigError(f"{sanitize_line(refused)[:40]} does not exist over SSH.")
    whole = parser()
    try:
        arguments = whole.parse_args([name, *(_place(rest) if name == "send" else rest)])
    except SystemExit as error:  # argparse has printed why
        return int(error.code or 0)
    if why := contradiction(arguments):
        raise ConfigError(f"{why}.")
    arguments.zuliprc = accounts.to_open(here)
    module, _, function = arguments.run.partition(":")
    try:
        return int(getattr(import_module(f"tui.cli.{module}"), function)(arguments, here))
    except BrokenPipeError:  # the reader of the output has had enough
        output.write_nothing_more()
        return 0


def _place(words: Sequence[str]) -> list[str]:
    """Return the arguments of `send`: SSH removes quotes, so all words but options are the destination."""
    argv: list[str] = []
    place: list[str] = []
    takes = ""
    for word in words:
        if takes == "--to":
            if word.startswith("--"):
                takes = ""
            else:
                place.append(word)
                continue
        if takes:
            argv.append(word)
            takes = ""
        elif word in ("--to", "--dm", "--reply-to", "--key"):
            takes = word
            if word != "--to":
                argv.append(word)
        elif word.startswith("--"):
            argv.append(word)
        else:
            place.append(word)
    return [*(["--to", " ".join(place)] if place else []), *argv]


async def _upload(here: Folders, words: Sequence[str]) -> int:
    """Upload a file from standard input; print a link to it."""
    from tui.api.routes import uploads as routes
    from tui.cli.account import asking
    from tui.commands.outbox import new_key
    from tui.commands.uploads import link

    if len(words) != 1:
        raise ConfigError("upload needs the file's name, e.g. upload plan.pdf < plan.pdf")
    name = Path(words[0]).name or "file"
    folder = private_folder(here.cache / "sent")
    with tempfile.TemporaryFile(dir=folder) as file:
        size = 0
        while chunk := sys.stdin.buffer.read(CHUNK):
            size += len(chunk)
            if size > MOST_UPLOADED:
                raise ConfigError(
                    f"The file is too large; the limit is {MOST_UPLOADED // 2**20} MiB."
                )
            try:
                file.write(chunk)
            except OSError as error:
                raise ConfigError(
                    f"The file does not fit on this host: {error.strerror}."
                ) from error
        if not size:
            raise ConfigError("There is nothing on standard input.")
        file.seek(0)
        arguments = argparse.Namespace(zuliprc=accounts.to_open(here))
        async with asking(arguments, here) as connection:
            sent = await routes.upload(
                connection,
                file=file,
                filename=name,
                progress=lambda _: None,
                idempotency_key=new_key(),
            )
    output.show(link(sent.filename or name, sent.url))
    return 0


async def _get(here: Folders, words: Sequence[str]) -> int:
    """Write a file of a message to standard output."""
    from tui.api.routes import uploads as routes
    from tui.cli.account import asking

    if len(words) != 1:
        raise ConfigError("get needs the file's ID, e.g. get 2/ab/plan.pdf > plan.pdf")
    path = words[0].removeprefix("/").removeprefix("user_uploads/")
    arguments = argparse.Namespace(zuliprc=accounts.to_open(here))
    async with (
        asking(arguments, here) as connection,
        routes.download(
            connection, url=f"/user_uploads/{path}", max_bytes=4 * 2**30, elsewhere=False
        ) as coming,
    ):
        if sys.stdout is None:
            return 1
        async for chunk in coming.chunks:
            sys.stdout.buffer.write(chunk)
        sys.stdout.buffer.flush()
    return 0


def _keys(key_client: KeyClient, words: Sequence[str]) -> int:
    """List the keys, or revoke one by its fingerprint or the beginning of it."""
    known_keys = key_client.keys()
    match list(words):
        case []:
            for each in known_keys:
                state = "this one" if each.is_here else "" if each.is_bound else "not used yet"
                used = (
                    time.strftime("%Y-%m-%d", time.localtime(each.used)) if each.used else "never"
                )
                output.show(f"{each.digest}\t{each.label}\tlast used {used}\t{state}".rstrip())
            return 0
        case ["revoke", text]:
            meant = [
                each
                for each in known_keys
                if each.digest.removeprefix("SHA256:").startswith(text.removeprefix("SHA256:"))
            ]
            if len(meant) != 1 or not text.removeprefix("SHA256:"):
                raise ConfigError("No key matches, or several do. List them with: keys")
            key_client.revoke(meant[0].digest)
            output.print_notice(f"Revoked {meant[0].digest}.")
            return 0
    raise ConfigError("keys lists your SSH keys; keys revoke KEY ends one.")
