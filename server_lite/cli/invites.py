"""`chinwag-server invite`: an invitation link, to be passed on by hand. There is no mail."""

import argparse
import time

from server_lite.cli import output
from server_lite.cli.admin_dispatch import carry_out
from server_lite.cli.tables import Item, print_rows
from server_lite.store.instance_lock import server_info


def invite(options: argparse.Namespace) -> None:
    """Create an invitation; or list or revoke open ones."""
    if options.list:
        print_rows(carry_out(options.db, "invite_list")["invites"], _shown, as_json=options.json)
    elif options.revoke is not None:
        carry_out(options.db, "invite_revoke", invite_id=options.revoke)
        output.show(f"Invitation {options.revoke} is revoked.")
    else:
        _make(options)


def _shown(invite: Item) -> tuple[object, ...]:
    whom = invite["email"] or ("many" if invite["many"] else "one person")
    expires = invite["expires"]
    until = "" if expires is None else time.strftime("until %Y-%m-%d", time.gmtime(expires))
    return invite["invite_id"], invite["role"], whom, until


def _make(options: argparse.Namespace) -> None:
    """Print one link. If no server runs now, it starts with the address given by --url."""
    created = carry_out(
        options.db,
        "invite",
        email=options.email,
        role=options.role,
        days=options.days,
        many=options.many,
    )
    note = server_info(options.db)
    url = options.url or (note.url if note is not None else "http://127.0.0.1:9991")
    output.show(f"{url.rstrip('/')}/join/{created['token']}")
