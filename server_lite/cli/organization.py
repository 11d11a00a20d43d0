"""`chinwag-server init`: a new organization, complete or not at all."""

import argparse
from pathlib import Path
from typing import Final

from server_lite.actions import credentials
from server_lite.actions.organization import NewOrganization
from server_lite.cli import output
from server_lite.cli.secret_input import hashed_password
from server_lite.maintenance.files import create_organization, locked, refuse_existing
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

LABEL: Final = "this machine"


def init(options: argparse.Namespace) -> None:
    """Create an organization, its owner and the welcome channel in a new file."""
    refuse_existing(options.db)
    hashed = hashed_password(stdin=options.password_stdin)
    new = NewOrganization(
        name=options.realm_name,
        owner_email=options.owner_email,
        owner_name=options.owner_name,
        password=hashed,
    )
    with locked(options.db):
        create_organization(options.db, new)
    output.show(
        f"{options.realm_name} is ready. Start it with `chinwag-server serve --db {options.db}`."
    )


def make_with_key(db: Path, *, name: str, email: str, owner: str) -> tuple[str, str]:
    """Create an organization without a password; returns the owner's address and API key."""
    new = NewOrganization(name=name, owner_email=email, owner_name=owner, password=None)
    given: list[tuple[str, str]] = []

    def give(tx: Tx, user: UserRow) -> None:
        given.append((user.email, credentials.sign_in(tx, user, LABEL)["api_key"]))

    create_organization(db, new, give)
    return given[0]
