"""`chinwag react`: an emoji reaction on a message, added or removed. Prints nothing."""

import argparse
import asyncio

from tui.api.model import MessageId
from tui.api.routes import reactions
from tui.cli.account import asking
from tui.config import Folders
from tui.errors import ApiRefused

_DONE_ALREADY = ("REACTION_ALREADY_EXISTS", "REACTION_DOES_NOT_EXIST")


def run(arguments: argparse.Namespace, here: Folders) -> int:
    """Add or remove the reaction; if it is so already, that is no error."""
    asyncio.run(_react(arguments, here))
    return 0


async def _react(arguments: argparse.Namespace, here: Folders) -> None:
    request = reactions.remove if arguments.remove else reactions.add
    async with asking(arguments, here) as connection:
        try:
            await request(
                connection,
                message_id=MessageId(arguments.message),
                emoji_name=arguments.emoji.strip(":"),
                emoji_code=None,
                reaction_type=None,
            )
        except ApiRefused as error:
            if error.code not in _DONE_ALREADY:
                raise
