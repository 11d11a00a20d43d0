"""`chinwag-server invite`: a link by which somebody joins, to be passed on by hand. There is no mail."""

import argparse
import sys

from server_lite.cli.remote import carry_out
from server_lite.lock import note_of


def invite(options: argparse.Namespace) -> None:
    """Print one link. Where no server runs now, its beginning is the address given with --url."""
    made = carry_out(
        options.db,
        "invite",
        email=options.email,
        role=options.role,
        days=options.days,
        many=options.many,
    )
    note = note_of(options.db)
    url = options.url or (note.url if note is not None else "http://127.0.0.1:9991")
    sys.stdout.write(f"{url.rstrip('/')}/join/{made['token']}\n")
