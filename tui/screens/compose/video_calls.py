"""A video call: a link to it goes into what is being written. Asks the server; draws nothing.

Imported when a session is opened: the commands bring httpx with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.commands import calls
from tui.content.web import browsable, host
from tui.errors import ApiRefused
from tui.narrow import TopicNarrow
from tui.screens.dialogs.question import Question

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen


async def offer_call(screen: AccountScreen) -> None:
    """Make a place to meet, and put a link to it where the cursor is; sending it is the person's."""
    place = screen.composing.place
    if place is None:
        screen.tell("Open a conversation first.")
        return
    name = place.topic if isinstance(place, TopicNarrow) else "Call"
    try:
        url = await calls.create(screen.session.sync, name)
    except ApiRefused as error:
        page = error.data.get("authorize_url")
        opened = browsable(page) if isinstance(page, str) else None
        if opened is None:
            raise
        await _connect(screen, opened)
        return
    screen.composer.focus()
    screen.composer.insert_at_cursor(f"[Join the video call]({url})")


async def _connect(screen: AccountScreen, page: str) -> None:
    question = Question(
        "Connect an account for calls?",
        f"The server creates calls in your name. Allow that once on {host(page)}, then try again.",
        yes="Open the page",
    )
    if await screen.app.push_screen_wait(question):
        screen.app.open_url(page)
