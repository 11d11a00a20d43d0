"""`chinwag mcp`: a server of the Model Context Protocol on standard input and output, for assistants.

The only user of the package `mcp`, which is an extra.
"""

import argparse
import asyncio
import functools
from collections.abc import Awaitable, Callable

from tui import VERSION
from tui.cli.live_account import live_account
from tui.cli.mcp_tools import NOTE, Tools
from tui.config import Folders
from tui.content.sanitize import sanitize_line
from tui.errors import ConfigError, TuiError

INSTRUCTIONS = (
    "Chinwag is the team's chat: channels have topics, topics have messages."
    " Use search and read_topic to find what the team decided, and link to messages that you quote. "
    + NOTE
)


def run(arguments: argparse.Namespace, here: Folders) -> int:
    """Serve until standard input ends."""
    try:
        import mcp  # noqa: F401  # whether it is installed, before anything else is done
    except ImportError as error:
        raise ConfigError(
            "chinwag mcp needs the package mcp: install chinwag[mcp], e.g. pipx install 'chinwag[mcp]'."
        ) from error
    asyncio.run(_serve(arguments, here))
    return 0


async def _serve(arguments: argparse.Namespace, here: Folders) -> None:
    from mcp.server import MCPServer
    from mcp_types import ToolAnnotations

    async with live_account(arguments, here) as account:
        server = MCPServer(
            "chinwag", version=VERSION, instructions=INSTRUCTIONS, log_level="WARNING"
        )
        tools = Tools(account)
        reading = (
            tools.search,
            tools.read_topic,
            tools.list_unread,
            tools.list_channels,
            tools.list_topics,
        )
        for tool in reading:
            server.add_tool(
                _refusing(tool),
                annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
                structured_output=False,
            )
        if arguments.allow_send:
            server.add_tool(
                _refusing(tools.send_message),
                annotations=ToolAnnotations(read_only_hint=False, destructive_hint=False),
                structured_output=False,
            )
        await server.run_stdio_async()


def _refusing(tool: Callable[..., Awaitable[str]]) -> Callable[..., Awaitable[str]]:
    """Wrap a tool, with TuiErrors as sentences for the assistant."""
    from mcp.server.mcpserver.exceptions import ToolError

    @functools.wraps(tool)
    async def asked(*args: object, **named: object) -> str:
        try:
            return await tool(*args, **named)
        except TuiError as error:
            raise ToolError(sanitize_line(str(error))) from error

    return asked
