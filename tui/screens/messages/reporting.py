"""Reporting a message to the moderators. Asks why, and tells the server.

Imported when a session is opened: the commands bring HTTP with them.
"""

from __future__ import annotations

from typing import Final

from tui.api.model import MessageId
from tui.commands import messages
from tui.screens.context import AccountContext
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.form import Answers, ChoiceField, Form, TextField

REASONS: Final = (
    Choice(value="spam", label="Spam"),
    Choice(value="harassment", label="Harassment"),
    Choice(value="inappropriate", label="Inappropriate content"),
    Choice(value="norms", label="Breaks the rules"),
    Choice(value="other", label="Something else"),
)
LONGEST: Final = 1000


async def report(context: AccountContext, message_id: MessageId) -> None:
    """Ask for the reason and report the message; explain it where the organization takes no reports."""
    session = context.session
    if (session.store.realm.settings.moderation_request_channel_id or -1) < 0:
        context.toast("Reports are turned off in this organization. Contact an administrator.")
        return

    async def submit(answers: Answers) -> None:
        await messages.report(
            session.sync, message_id, answers.choice("reason"), answers.text("words")
        )

    form = Form(
        "Report this message",
        [
            ChoiceField(name="reason", label="Why", choices=REASONS, value="spam"),
            TextField(name="words", label="Details", longest=LONGEST, lines=3),
        ],
        submit=submit,
        yes="Report",
        text="Only moderators see the message, your comment and your name.",
    )
    if await context.ask(form):
        context.toast("Reported to the moderators.")
