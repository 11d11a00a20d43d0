"""The pages of the organisation, and the way to each. A page is a module with `async def show(screen)`.

A page is imported when it is opened. Draws nothing itself.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tui.screens.dialogs.chooser import Choice, Chooser
from tui.store import Store
from tui.view.permissions import is_administrator, is_member, may_invite

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen


def _everybody(_: Store) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Entry:
    """A page of the list: `name` is its module in this package, and its word in the palette."""

    name: str
    label: str
    help: str
    is_offered: Callable[[Store], bool] = _everybody


PAGES: Final[tuple[Entry, ...]] = (
    Entry("users", "People", "everybody: roles, profiles, new and deactivated accounts"),
    Entry("user_groups", "Groups", "people by name: who is in them, who may join, mention and change them"),
    Entry("invites", "Invitations", "bring people in: links, the command they run, what is still open", may_invite),
    Entry("channels", "Channels", "all of them: edit, members, permissions, topics, archive"),
    Entry("channel_folders", "Folders of channels", "headings for channels: order, names, which channels", is_administrator),
    Entry("realm_settings", "Settings of the organisation", "name, limits, joining, who may do what", is_administrator),
    Entry("preferences", "Your settings on this server", "notifications, topics, reading, privacy: for all your clients"),
    Entry("devices", "Your devices", "where you are signed in, as far as the server knows"),
    Entry("bots", "Bots", "programs that take part: make one, its key, what it keeps", is_member),
    Entry("linkifiers", "Linkifiers", "text that becomes a link by itself, such as #123"),
    Entry("custom_emoji", "Custom emoji", "the organisation's own: add one from a file, take one away"),
    Entry("profile_fields", "Profile fields", "what everybody is asked about themselves"),
    Entry("playgrounds", "Code playgrounds", "sites where code blocks can be tried"),
    Entry("domains", "Domains", "whose e-mail addresses may join", is_administrator),
    Entry("defaults", "New people's settings", "what whoever joins begins with", is_administrator),
    Entry("own_profile", "Your profile", "name, e-mail, password, picture, what others see of you"),
    Entry("navigation_views", "Kept views", "searches and places under a name: keep one, go to one"),
    Entry("attachments", "Your files", "what you uploaded: go to its message, delete it"),
    Entry("alert_words", "Alert words", "words that you want to hear of"),
    Entry("muted_users", "Muted people", "whom you do not hear"),
)  # fmt: skip
"""In the order of the list."""


def offered(store: Store) -> list[Entry]:
    """The pages that the person may use."""
    return [page for page in PAGES if page.is_offered(store)]


class Administration:
    """Opens a page, or asks which."""

    def __init__(self, screen: AccountScreen) -> None:
        self._screen = screen

    async def ask(self) -> None:
        """Choose one of the pages that the person may use."""
        choices = [
            Choice(value=page.name, label=page.label, detail=page.help, weight=-at)
            for at, page in enumerate(offered(self._screen.session.store))
        ]
        name: str | None = await self._screen.app.push_screen_wait(
            Chooser("Organisation", choices, hint="people, bots, channels, settings…")
        )
        if name is not None:
            await self.open(name)

    async def open(self, name: str) -> None:
        """Open a page by its name."""
        await importlib.import_module(f"tui.screens.organisation.{name}").show(self._screen)
