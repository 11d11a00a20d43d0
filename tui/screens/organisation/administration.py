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
    from tui.screens.dialogs.listing import Listing
    from tui.store import Changes


def _everybody(_: Store) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Page:
    """`name` is its module in this package, and its word in the palette."""

    name: str
    label: str
    help: str
    is_offered: Callable[[Store], bool] = _everybody


PAGES: Final[tuple[Page, ...]] = (
    Page("people", "People", "everybody: roles, profiles, new and closed accounts"),
    Page("groups", "Groups", "people by name: who is in them, who may join, mention and change them"),
    Page("invitations", "Invitations", "bring people in: links, the command they run, what is still open", may_invite),
    Page("channels", "Channels", "all of them: edit, members, permissions, topics, archive"),
    Page("folders", "Folders of channels", "headings for channels: order, names, which channels", is_administrator),
    Page("settings", "Settings of the organisation", "name, limits, joining, who may do what", is_administrator),
    Page("preferences", "My settings on this server", "notifications, topics, reading, privacy: for all your clients"),
    Page("devices", "My devices", "where you are signed in, as far as devices said so"),
    Page("bots", "Bots", "programs that take part: make one, its key, what it keeps", is_member),
    Page("linkifiers", "Linkifiers", "text that becomes a link by itself, such as #123"),
    Page("emoji", "Custom emoji", "the organisation's own: add one from a file, take one away"),
    Page("profile_fields", "Profile fields", "what everybody is asked about themselves"),
    Page("playgrounds", "Code playgrounds", "sites where code blocks can be tried"),
    Page("domains", "Domains", "whose e-mail addresses may join", is_administrator),
    Page("defaults", "New people's settings", "what whoever joins begins with", is_administrator),
    Page("profile", "My profile", "name, e-mail, password, picture, what others see of you"),
    Page("views", "Kept views", "searches and places under a name: keep one, go to one"),
    Page("files", "My files", "what you uploaded: go to its message, delete it"),
    Page("alert_words", "Alert words", "words that you want to hear of"),
    Page("muted_people", "Muted people", "whom you do not hear"),
)  # fmt: skip
"""In the order of the list."""


def offered(store: Store) -> list[Page]:
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


async def show_listing(screen: AccountScreen, listing: Listing, *, asked: str = "") -> None:
    """Show a page's lines until Esc, and keep them current as the store changes.

    `asked` is the part of `Changes` after which the listing has to ask the server anew.
    """

    def follow(changes: Changes) -> None:
        about = changes.users, changes.people, changes.groups, changes.channels, changes.parts
        if asked in changes.parts:
            listing.load()
        elif changes.replaced or any(about):  # messages come all the time, and are in no listing
            listing.show_rows()

    screen.followers.append(follow)
    try:
        await screen.app.push_screen_wait(listing)
    finally:
        screen.followers.remove(follow)
