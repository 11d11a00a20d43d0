"""Video calls: puts a link to a new call into the draft. Asks the server; draws nothing.

Imported when a session is opened: the commands bring HTTP with them.
"""

from __future__ import annotations

from tui.commands import calls
from tui.content.web import browsable, host
from tui.errors import ApiRefused
from tui.narrow import TopicNarrow
from tui.screens.context import ChatContext
from tui.screens.dialogs.question import Question


async def offer_call(context: ChatContext) -> None:
    """Create a call, and put its link at the cursor; the user sends the message."""
    place = context.composing.place
    if place is None:
        context.toast("Open a conversation first.")
        return
    name = place.topic if isinstance(place, TopicNarrow) else "Call"
    try:
        url = await calls.create(context.session.sync, name)
    except ApiRefused as error:
        page = error.data.get("authorize_url")
        opened = browsable(page) if isinstance(page, str) else None
        if opened is None:
            raise
        await _connect(context, opened)
        return
    context.composing.focus()
    context.panes.composer.insert_at_cursor(f"[Join the video call]({url})")


async def _connect(context: ChatContext, page: str) -> None:
    question = Question(
        "Connect an account for calls?",
        f"The server creates calls in your name. Allow that once on {host(page)}, then try again.",
        yes="Open the page",
    )
    if await context.ask(question):
        context.open_url(page)
