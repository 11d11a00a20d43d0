"""`chinwag status`: shows or sets the user's own status."""

import argparse
import asyncio

from tui.api.routes import statuses as routes
from tui.cli import lines, output
from tui.cli.account import asking, opened
from tui.config import Folders
from tui.content.sanitize import sanitize_line


def run(arguments: argparse.Namespace, here: Folders) -> int:
    """Set the status if an argument is given, else show it."""
    if arguments.clear or arguments.text is not None or arguments.emoji is not None:
        asyncio.run(_set(arguments, here))
    else:
        asyncio.run(_show(arguments, here))
    return 0


async def _set(arguments: argparse.Namespace, here: Folders) -> None:
    emoji = None if arguments.emoji is None else arguments.emoji.strip(":")
    async with asking(arguments, here) as connection:
        await routes.update(
            connection,
            status_text="" if arguments.clear else arguments.text,
            emoji_name="" if arguments.clear else emoji,
            emoji_code=None,
            reaction_type=None,
        )


async def _show(arguments: argparse.Namespace, here: Folders) -> None:
    async with opened(arguments, here) as sync:
        status = sync.store.statuses.by_user.get(sync.store.self_id)
        text = (status.status_text if status is not None else "") or ""
        emoji = (status.emoji_name if status is not None else "") or ""
        if arguments.json:
            output.show(lines.of_record({"text": text, "emoji": emoji}))
        elif text or emoji:
            parts = [f":{sanitize_line(emoji)}:" if emoji else "", sanitize_line(text)]
            output.show(" ".join(filter(None, parts)))
