"""Patterns that become links: tried, kept, put in order. Raises TuiError; no Textual."""

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tui.api.model import LinkifierId
from tui.api.organization import Linkifier
from tui.api.routes import linkifiers as routes
from tui.api.routes.linkifiers import NewLinkifier
from tui.commands import regex_sandbox
from tui.commands.reorder import moved
from tui.sync.machine import Sync
from tui.view.linkifiers import Trial

LONGEST: Final = 1000
"""Characters of a pattern or example that are tried."""
PATIENCE_SECONDS: Final = 2.0
PAUSE_SECONDS: Final = 0.1
"""Somebody who types is not done yet."""


async def fetch(sync: Sync) -> tuple[Linkifier, ...]:
    """All of them, in the order in which they are tried."""
    return await routes.fetch(sync.connection)


async def create(sync: Sync, linkifier: NewLinkifier) -> None:
    """A new one, tried after the others."""
    await routes.create(sync.connection, linkifier=linkifier)


async def change(sync: Sync, linkifier_id: LinkifierId, linkifier: NewLinkifier) -> None:
    """Write one anew; messages that were sent stay as they are."""
    await routes.update(sync.connection, linkifier_id=linkifier_id, linkifier=linkifier)


async def delete(sync: Sync, linkifier_id: LinkifierId) -> None:
    """Find it no longer."""
    await routes.delete(sync.connection, linkifier_id=linkifier_id)


async def move(sync: Sync, linkifier_id: LinkifierId, by: int) -> None:
    """Try it earlier or later than now."""
    order: Sequence[LinkifierId] = [each.id for each in await fetch(sync)]
    await routes.reorder(sync.connection, linkifier_ids=moved(order, linkifier_id, by))


async def trial(pattern: str, text: str) -> Trial:
    """What the pattern finds in the text, without ever waiting long for one that takes for ever."""
    if max(len(pattern), len(text)) > LONGEST:
        return Trial(error=f"it has more than {LONGEST} characters")
    await asyncio.sleep(PAUSE_SECONDS)
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-I",
            "-S",
            str(Path(regex_sandbox.__file__)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except OSError as error:
        return Trial(error=f"nothing can be started here ({error.strerror})")
    question = json.dumps({"pattern": pattern, "text": text}).encode()
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            out, _ = await process.communicate(question)
    except TimeoutError:
        return Trial(error="the pattern takes too long")
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()
    if process.returncode != 0:  # it used up its time or memory
        return Trial(error="the pattern takes too long")
    return Trial(**json.loads(out))
