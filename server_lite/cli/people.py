"""`chinwag-server user …`: adding people, listing them, giving them a new password."""

import argparse
import sys

import orjson

from server_lite.cli.remote import carry_out
from server_lite.cli.secret_input import hashed_password


def add(options: argparse.Namespace) -> None:
    """A new account. Without a password it can be used with a key only."""
    hashed = hashed_password(stdin=True) if options.password_stdin else None
    made = carry_out(
        options.db,
        "user_add",
        email=options.email,
        full_name=options.name,
        role=options.role,
        password_hash=hashed,
    )
    sys.stdout.write(f"{made['email']} has account {made['user_id']}.\n")


def show(options: argparse.Namespace) -> None:
    """All accounts, as a table or as JSON."""
    users = carry_out(options.db, "user_list")["users"]
    if options.json:
        sys.stdout.buffer.write(orjson.dumps(users) + b"\n")
        return
    for user in users:
        state = "" if user["is_active"] else "  (deactivated)"
        kind = "bot" if user["is_bot"] else user["role"]
        name = user["full_name"]
        sys.stdout.write(f"{user['user_id']:>5}  {kind:<13}  {user['email']:<32}  {name}{state}\n")


def set_password(options: argparse.Namespace) -> None:
    """A new password for an account."""
    hashed = hashed_password(stdin=options.password_stdin)
    carry_out(options.db, "user_set_password", email=options.email, password_hash=hashed)
    sys.stdout.write(f"{options.email} has a new password.\n")
