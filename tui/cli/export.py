"""`chinwag export`: all messages of a narrow in a file, complete or not at all, a slice at a time."""

import argparse
import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tui.api.features import check_narrow
from tui.api.model import Anchor, Message
from tui.api.routes import messages as routes
from tui.cli import output
from tui.cli.account import opened
from tui.cli.retries import pause
from tui.config import Folders
from tui.errors import NO_VERDICT, BadNarrow, ConfigError, RateLimited
from tui.narrow import Narrow
from tui.regular_file import replacing
from tui.sync.machine import Sync
from tui.view.counts import counted
from tui.view.initial_narrow import asked_for
from tui.view.times import Times
from tui.view.transcript import FORMATS

SLICE: Final = 1000
"""Messages fetched at a time."""


def run(arguments: argparse.Namespace, here: Folders) -> int:
    """Write the narrow to the file, or to standard output."""
    if arguments.out is None:
        has_progress = not sys.stdout.isatty()  # else it would stand between the messages
        asyncio.run(_export(arguments, here, _print, has_progress=has_progress))
        return 0
    with _whole_file(arguments.out) as write:
        count = asyncio.run(_export(arguments, here, write, has_progress=True))
    output.show(counted(count, "message", "messages"))
    return 0


async def _export(
    arguments: argparse.Namespace,
    here: Folders,
    write: Callable[[str], object],
    *,
    has_progress: bool,
) -> int:
    """Write the messages; return how many."""
    async with opened(arguments, here) as sync:
        narrow, near = asked_for(sync.store, arguments.narrow)
        if near is not None:
            raise BadNarrow("An export has all messages, not those near one. Leave out “near:”.")
        times = Times()
        transcript = FORMATS[arguments.format](
            sync.store, narrow, site=sync.connection.base_url.text, times=times, now=time.time()
        )
        write(transcript.begin())
        count = 0
        try:
            async for part in _slices(sync, narrow):
                for message in part:
                    write(transcript.message(message))
                count += len(part)
                if has_progress:
                    day = times.day(part[-1].timestamp)
                    output.progress(f"{counted(count, 'message', 'messages')}, up to {day}")
        finally:
            if has_progress:
                output.progress("")
        write(transcript.end())
        return count


async def _slices(sync: Sync, narrow: Narrow) -> AsyncIterator[list[Message]]:
    """Yield all messages of a narrow, oldest first, none twice."""
    check_narrow(narrow.to_api(), sync.store.realm.feature_level)
    anchor: Anchor = "oldest"
    while True:
        fetched = await _fetch_with_retries(sync, narrow, anchor)
        newest = 0 if anchor == "oldest" else int(anchor)
        messages = sorted(
            (each for each in fetched.messages if each.id > newest), key=lambda each: each.id
        )
        if messages:
            yield messages
            anchor = messages[-1].id
        if fetched.found_newest or not messages:
            return


async def _fetch_with_retries(sync: Sync, narrow: Narrow, anchor: Anchor) -> routes.FetchedMessages:
    """Fetch one slice; try again later where the server is unreachable or limits requests."""
    attempt = 1
    while True:
        try:
            return await routes.fetch(
                sync.connection,
                narrow=narrow.to_api(),
                anchor=anchor,
                include_anchor=anchor == "oldest",
                num_before=0,
                num_after=SLICE,
                apply_markdown=True,
            )
        except (*NO_VERDICT, RateLimited) as error:
            seconds = pause(error, attempt)
            if seconds is None:
                raise
            attempt += 1
            await asyncio.sleep(seconds)


def _print(text: str) -> None:
    for line in text.splitlines():
        output.show(line)


@contextmanager
def _whole_file(path: Path) -> Iterator[Callable[[str], object]]:
    """Write to a file beside `path` that replaces it at the end, with mode 0600; after a failure nothing is
    left.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        raise ConfigError(f"{path} is not a file.")
    try:
        with replacing(target, ".export-") as file:
            yield lambda text: file.write(text.encode())
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}.") from error
