"""`chinwag push`: registers or removes the push notification token of a phone. Prints nothing."""

import argparse
import asyncio
import sys

from tui.api.routes import devices
from tui.cli.account import asking
from tui.config import Folders
from tui.errors import ConfigError


def run(arguments: argparse.Namespace, here: Folders) -> int:
    """Register or remove the token; without an argument it is read from standard input."""
    token = (arguments.token or sys.stdin.readline()).strip()
    if not token:
        raise ConfigError("no token: give one, or write it to standard input.")
    asyncio.run(_change(arguments, token, here))
    return 0


async def _change(arguments: argparse.Namespace, token: str, here: Folders) -> None:
    async with asking(arguments, here) as connection:
        match arguments.remove, arguments.apple:
            case False, None:
                await devices.add_android_token(connection, token=token)
            case False, str(app_id):
                await devices.add_apple_token(connection, token=token, app_id=app_id)
            case True, None:
                await devices.remove_android_token(connection, token=token)
            case _:
                await devices.remove_apple_token(connection, token=token)
