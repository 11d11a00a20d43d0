"""`chinwag-server demo`: an example organization to try things out in. Always the same one."""

import argparse
import os
import secrets

from server_lite.actions import credentials
from server_lite.cli import output
from server_lite.config import PasswordCost
from server_lite.demo import script, stage
from server_lite.maintenance.files import locked, resolved


def demo(options: argparse.Namespace) -> None:
    """Create the example, in a new file or in a new organization with only its owner."""
    db = resolved(options.db)
    password = secrets.token_urlsafe(9)
    with locked(db):
        hashed = credentials.hash_password(PasswordCost(), password)
        if os.path.lexists(db):
            stage.fill(db, hashed)
        else:
            stage.create(db, hashed)
            output.show(f"{stage.SIGN_IN} is you.")
    names = ", ".join(f"{key}@{script.DOMAIN}" for key in script.PEOPLE)
    output.show(f"Other accounts: {names}.")
    output.show(f"Their password is {password}")
    output.show(f"Start it with `chinwag-server serve --db {options.db}`.")
