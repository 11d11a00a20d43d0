"""`chinwag-server bot …`: create and list bots, show their API keys."""

import argparse

from server_lite.cli import output
from server_lite.cli.admin_dispatch import carry_out
from server_lite.cli.tables import Item, print_rows


def create(options: argparse.Namespace) -> None:
    """Create a bot and print its API key."""
    bot = carry_out(
        options.db,
        "bot_add",
        short_name=options.short_name,
        full_name=options.name,
        kind=options.kind,
        owner=options.owner,
        url=options.url,
    )
    if options.json:
        fields = {name: bot[name] for name in ("user_id", "email", "api_key")}
        output.show_json(fields)
    else:
        output.show(f"{bot['email']} has account {bot['user_id']} and the key")
        output.show(f"{bot['api_key']}")


def show(options: argparse.Namespace) -> None:
    """Print all bots, as a table or as JSON."""
    print_rows(carry_out(options.db, "bot_list")["bots"], _shown, as_json=options.json)


def _shown(bot: Item) -> tuple[object, ...]:
    state = "" if bot["is_active"] else "  (deactivated)"
    return bot["user_id"], bot["kind"], bot["email"], bot["owner"] or "", bot["full_name"] + state


def key(options: argparse.Namespace) -> None:
    """Print only the API key, for scripts."""
    answer = carry_out(options.db, "bot_key", email=options.email, new=options.new)
    output.show(f"{answer['api_key']}")
