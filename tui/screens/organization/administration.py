"""The list of the organization's pages. A page is a module with `async def show(context)`.

A page is imported when it is opened. Draws nothing itself.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Final

from tui.dataclass import dataclass
from tui.host import host_of
from tui.screens.context import AccountContext
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.store import Store
from tui.view.offers import check, lacks
from tui.view.permissions import is_administrator, is_member, may_invite


def _everybody(_: Store) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Entry:
    """A page of the list: `name` is its module in this package, and its word in the palette."""

    name: str
    label: str
    help: str
    group: str
    is_offered: Callable[[Store], bool] = _everybody
    has_ssh_keys: bool = False
    """Whether it lists the user's SSH keys, too: then it is offered over SSH whatever the server lacks."""


_YOU, _PEOPLE, _CHANNELS, _MESSAGES, _SETTINGS = (
    "You", "Members", "Channels", "Messages", "Organization",
)  # fmt: skip

PAGES: Final[tuple[Entry, ...]] = (
    Entry("users", "People", "roles, profiles, new and deactivated accounts", _PEOPLE),
    Entry("invites", "Invitations", "create and manage invitation links", _PEOPLE, may_invite),
    Entry("user_groups", "Groups", "members and permissions of user groups", _PEOPLE),
    Entry("bots", "Bots", "create bots, manage their keys, webhooks and storage", _PEOPLE, is_member),
    Entry("integrations", "Integrations", "webhooks: services that post to channels", _PEOPLE, is_member),
    Entry("channels", "Channels", "edit, members, permissions, topics, archive", _CHANNELS),
    Entry("channel_folders", "Channel folders", "headings for channels: order, names, channels", _CHANNELS, is_administrator),
    Entry("custom_emoji", "Custom emoji", "the organization's own: add and remove", _MESSAGES),
    Entry("linkifiers", "Linkifiers", "patterns that become links, e.g. #123", _MESSAGES),
    Entry("playgrounds", "Code playgrounds", "sites where code blocks can be run", _MESSAGES),
    Entry("realm_settings", "Organization settings", "name, limits, joining, permissions", _SETTINGS, is_administrator),
    Entry("new_user_defaults", "Defaults for new members", "the settings that new members start with", _SETTINGS, is_administrator),
    Entry("profile_fields", "Profile fields", "the fields of profiles", _SETTINGS),
    Entry("domains", "Domains", "email domains that may join", _SETTINGS, is_administrator),
    Entry("own_profile", "Your profile", "name, email, password, picture, profile fields", _YOU),
    Entry("preferences", "Your settings on this server", "notifications, topics, reading, privacy: for all your clients", _YOU),
    Entry("navigation_views", "Saved searches", "searches and conversations saved under a name", _YOU),
    Entry("attachments", "Your files", "your uploads: find their messages, delete them", _YOU),
    Entry("alert_words", "Alert words", "words that notify you", _YOU),
    Entry("muted_users", "Muted people", "people and bots you have muted", _YOU),
    Entry("devices", "Your devices", "where you are signed in", _YOU, has_ssh_keys=True),
)  # fmt: skip
"""In the order of the list, by group."""


def offered(context: AccountContext) -> list[Entry]:
    """Return the pages that the user may open and whose features the server has."""
    store = context.session.store
    return [
        page
        for page in PAGES
        if page.is_offered(store)
        and (_has_keys(context, page) or lacks(store, f"organization('{page.name}')") is None)
    ]


def _has_keys(context: AccountContext, page: Entry) -> bool:
    return page.has_ssh_keys and host_of(context.app).access is not None


class Administration:
    """Opens a page, by name or from the list."""

    def __init__(self, context: AccountContext) -> None:
        self._context = context

    async def ask(self) -> None:
        """Show the list of pages that the user may open, and open the chosen one; Esc leads back to the list."""
        at = 0
        while True:
            pages = offered(self._context)
            choices = [
                Choice(
                    value=each, label=each.label, detail=each.help, heading=each.group, weight=-i
                )
                for i, each in enumerate(pages)
            ]
            chosen = await self._context.ask(
                Chooser("Organization", choices, hint="people, bots, channels, settings…", at=at)
            )
            if chosen is None or await self._shown(chosen.name):
                return
            at = pages.index(chosen)

    async def open(self, name: str) -> None:
        """Open a page by its name. Raises NotSupported."""
        await self._shown(name)

    async def _shown(self, name: str) -> bool:
        """Show a page; return whether it led to another place. Raises NotSupported."""
        if not any(page.name == name and _has_keys(self._context, page) for page in PAGES):
            check(self._context.session.store, f"organization('{name}')")
        page = importlib.import_module(f"tui.screens.organization.{name}")
        return bool(await page.show(self._context))
