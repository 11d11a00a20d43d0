"""`chinwag-server channel …`: adding channels."""

import argparse
import sys

from server_lite.cli.remote import carry_out


def add(options: argparse.Namespace) -> None:
    """A new channel, made in the name of the organisation's first owner."""
    made = carry_out(
        options.db,
        "channel_add",
        name=options.name,
        description=options.description,
        private=options.private,
        default=options.default,
    )
    sys.stdout.write(f"#{options.name} is channel {made['channel_id']}.\n")
