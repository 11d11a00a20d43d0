"""Bots as lines for the users who manage them: kind, owner, address. Sanitized, of one line; pure."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Collection
from typing import Final
from urllib.parse import quote, urlencode

from tui.api.model import User
from tui.content.sanitize import sanitize_line
from tui.store import Store
from tui.view import names
from tui.view.permissions import is_administrator, is_in

GENERIC, INCOMING, OUTGOING, EMBEDDED = 1, 2, 3, 4

KINDS: Final = {
    GENERIC: "generic",
    INCOMING: "incoming webhook",
    OUTGOING: "outgoing webhook",
    EMBEDDED: "embedded",
}
"""Labels of `bot_type`."""


def looked_after(store: Store) -> list[User]:
    """Return the user's own bots, for an administrator all; own and active ones first."""
    everybody = is_administrator(store)
    bots = [
        user
        for user in store.users.by_id.values()
        if user.is_bot
        and not user.is_system_bot
        and (everybody or user.bot_owner_id == store.self_id)
    ]
    return sorted(
        bots,
        key=lambda bot: (
            not bot.is_active,
            bot.bot_owner_id != store.self_id,
            bot.full_name.casefold(),
        ),
    )


def may_create_webhooks(store: Store) -> bool:
    """Whether the user may create bots for incoming webhooks."""
    realm = store.realm.settings
    groups = realm.can_create_bots_group, realm.can_create_write_only_bots_group
    return any(is_in(store, group) for group in groups)


def short_name(name: str, taken: Collection[str]) -> str:
    """Return the beginning of a bot's email address, made of its name and not in `taken`."""
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    base = re.sub(r"[^a-z0-9]+", "-", letters)[:40].strip("-").removesuffix("-bot") or "webhook"
    numbered = (f"{base}-{number}" for number in itertools.count(2))
    return next(each for each in itertools.chain([base], numbered) if each not in taken)


def short_names(store: Store) -> frozenset[str]:
    """Return the beginnings of bots' email addresses that are taken."""
    emails = (user.email for user in store.users.by_id.values() if user.is_bot)
    return frozenset(email.partition("@")[0].lower().removesuffix("-bot") for email in emails)


def detail(store: Store, bot: User) -> str:
    """Return a bot's kind, owner and address: `generic · owned by Ann · echo-bot@example.com`."""
    owner = bot.bot_owner_id
    parts = [
        KINDS.get(bot.bot_type or 0, "bot"),
        "no owner" if owner is None else f"owned by {names.person(store, owner)}",
        sanitize_line(bot.email),
    ]
    return " · ".join([*parts, *([] if bot.is_active else ["deactivated"])])


def webhook_address(api: str, webhook: str, key: str, *, channel: str, topic: str) -> str:
    """Return the URL to which a service posts for an incoming webhook; `api` is the URL of the API.

    `channel` is its ID in digits, so that the URL survives a new name. Without a channel the messages are
    direct messages to the bot's owner.
    """
    query = {"api_key": key, "stream": channel, "topic": topic if channel else ""}
    query_string = urlencode({name: text for name, text in query.items() if text}, quote_via=quote)
    return f"{api}/external/{quote(webhook, safe='')}?{query_string}"


def possible_owners(store: Store) -> list[User]:
    """Return the users who can own a bot: active people who are not guests, by name."""
    return sorted(
        (
            user
            for user in store.users.by_id.values()
            if user.is_active and not user.is_bot and not user.is_guest
        ),
        key=lambda user: user.full_name.casefold(),
    )
