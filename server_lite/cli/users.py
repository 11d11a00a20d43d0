"""`chinwag-server user …`: add, list and deactivate users, set passwords and roles."""

import argparse

from server_lite.cli import output
from server_lite.cli.admin_dispatch import carry_out
from server_lite.cli.secret_input import hashed_password
from server_lite.cli.tables import Item, print_rows


def add(options: argparse.Namespace) -> None:
    """Create a user. Without a password the account can be used only with an API key."""
    hashed = hashed_password(stdin=True) if options.password_stdin else None
    user = carry_out(
        options.db,
        "user_add",
        email=options.email,
        full_name=options.name,
        role=options.role,
        password_hash=hashed,
    )
    output.show(f"{user['email']} is account {user['user_id']}.")


def show(options: argparse.Namespace) -> None:
    """Print all users, as a table or as JSON."""
    users = carry_out(options.db, "user_list")["users"]
    print_rows(users, _shown, as_json=options.json)


def _shown(user: Item) -> tuple[object, ...]:
    state = "" if user["is_active"] else "  (deactivated)"
    kind = "bot" if user["is_bot"] else user["role"]
    return user["user_id"], kind, user["email"], user["full_name"] + state


def set_password(options: argparse.Namespace) -> None:
    """Set a user's password."""
    hashed = hashed_password(stdin=options.password_stdin)
    carry_out(options.db, "user_set_password", email=options.email, password_hash=hashed)
    output.show(f"{options.email} has a new password.")


def set_role(options: argparse.Namespace) -> None:
    """Set a user's role."""
    carry_out(options.db, "user_set_role", email=options.email, role=options.role)
    output.show(f"{options.email} is now {options.role}.")


def deactivate(options: argparse.Namespace) -> None:
    """Deactivate a user."""
    carry_out(options.db, "user_deactivate", email=options.email)
    output.show(f"{options.email} is deactivated; their messages are kept.")


def reactivate(options: argparse.Namespace) -> None:
    """Reactivate a user."""
    carry_out(options.db, "user_reactivate", email=options.email)
    output.show(f"{options.email} is reactivated.")
