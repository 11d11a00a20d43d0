"""The card of a message: details, reactions, readers, history, source; loaded page by page.

Copies links, source and code on request.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tui.api.model import Message, MessageId
from tui.api.routes import messages as routes
from tui.commands import messages
from tui.content.extracts import code_blocks
from tui.content.nodes import CodeBlock
from tui.content.parse import parse
from tui.content.sanitize import sanitize_line
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.card import Card, Section
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.screens.session import Session
from tui.view import message_info as view
from tui.view import permalinks
from tui.view.cards import CardPart, Sentence
from tui.view.times import Times


async def show(context: AccountContext, message_id: MessageId) -> None:
    """Show the card, and copy what the user chooses."""
    message = context.session.store.message(message_id)
    if message is None:
        return
    pages = _Pages(context.session, message, context.times)
    code = code_blocks(parse(message.content))
    actions = [
        DialogAction(key="l", label="copy the link", run=partial(_copy_link, context, pages.link)),
        DialogAction(
            key="y", label="copy the Markdown", run=partial(_copy_source, context, message_id)
        ),
    ]
    if code:
        copy_code = partial(_copy_code, context, code)
        actions.append(DialogAction(key="c", label="copy the code", run=copy_code))
    card = Card("This message", pages.sections(), reader=context.reader, actions=actions)
    action = await context.ask(card)
    if action is not None:
        await action.run()


async def _copy_link(context: AccountContext, link: str) -> None:
    context.copy(link)
    context.toast("Link copied.")


async def _copy_source(context: AccountContext, message_id: MessageId) -> None:
    context.copy(await messages.source(context.session.sync, message_id))
    context.toast("Markdown copied.")


async def _copy_code(context: AccountContext, blocks: Sequence[CodeBlock]) -> None:
    """Copy the only code block, or the one that the user chooses by its beginning."""
    text: str | None = blocks[0].text
    if len(blocks) > 1:
        choices = [
            Choice(value=each.text, label=sanitize_line(each.text.strip())[:60], weight=-at)
            for at, each in enumerate(blocks)
        ]
        text = await context.ask(Chooser("Copy", choices, hint="which code?"))
    if text is not None:
        context.copy(text)
        context.toast("Code copied.")


class _Pages:
    """The contents of the card's pages."""

    def __init__(self, session: Session, message: Message, times: Times) -> None:
        self._session = session
        self._message = message
        self._times = times

    @property
    def link(self) -> str:
        """The permalink of the message, which works in a browser too."""
        fragment = permalinks.fragment(self._session.store, self._message)
        return f"{self._session.site.rstrip('/')}/{fragment}"

    def sections(self) -> list[Section]:
        """Return the sections that apply to this message."""
        message = self._message
        sections = [Section(name="About", load=self._about)]
        if message.reactions:
            sections.append(Section(name="Reactions", load=self._reactions))
        sections.append(Section(name="Read by", load=self._readers))
        if message.last_edit_timestamp is not None or message.last_moved_timestamp is not None:
            sections.append(Section(name="History", load=self._history))
        return [*sections, Section(name="Source", load=self._source)]

    async def _about(self) -> Sequence[CardPart]:
        return view.about(self._session.store, self._message, self._times, self.link)

    async def _reactions(self) -> Sequence[CardPart]:
        return view.reactions(self._session.store, self._message)

    async def _readers(self) -> Sequence[CardPart]:
        store = self._session.store
        if not store.realm.settings.enable_read_receipts:
            return [Sentence("Read receipts are turned off in this organization.")]
        connection = self._session.sync.connection
        return view.readers(
            store, await routes.read_receipts(connection, message_id=self._message.id)
        )

    async def _history(self) -> Sequence[CardPart]:
        connection = self._session.sync.connection
        entries = await routes.history(connection, message_id=self._message.id)
        return view.history(self._session.store, entries, self._times)

    async def _source(self) -> Sequence[CardPart]:
        return view.source(await messages.source(self._session.sync, self._message.id))
