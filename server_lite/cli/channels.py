"""`chinwag-server channel …`: add and list channels."""

import argparse

from server_lite.cli import output
from server_lite.cli.admin_dispatch import carry_out
from server_lite.cli.tables import Item, print_rows


def add(options: argparse.Namespace) -> None:
    """Create a channel as the organization's first owner."""
    channel = carry_out(
        options.db,
        "channel_add",
        name=options.name,
        description=options.description,
        private=options.private,
        default=options.default,
    )
    output.show(f"#{options.name} is channel {channel['channel_id']}.")


def show(options: argparse.Namespace) -> None:
    """Print all channels, as a table or as JSON."""
    print_rows(carry_out(options.db, "channel_list")["channels"], _shown, as_json=options.json)


def _shown(channel: Item) -> tuple[object, ...]:
    privacy = "private" if channel["is_private"] else "public"
    kind = "web" if channel["is_web_public"] else privacy
    state = "  (archived)" if channel["is_archived"] else ""
    return channel["channel_id"], kind, channel["subscribers"], channel["name"] + state
