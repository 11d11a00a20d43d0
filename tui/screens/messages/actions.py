"""The actions on the selected message: reply, react, edit, delete, star… Draws nothing.

Imported with the first of them; those with dialogs of their own import these when they are used.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from tui.api.model import MessageId, UserId
from tui.commands import flags, messages, reactions
from tui.content.extracts import links, plain_text
from tui.content.nodes import LinkNode
from tui.content.web import host
from tui.narrow import ChannelNarrow, Conversation, conversation_of
from tui.screens.compose.actions import ComposeActions
from tui.screens.context import ChatContext
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.question import Question
from tui.screens.messages import open_link
from tui.screens.messages.editing import edit_message
from tui.screens.messages.links import address, inside, opened, words
from tui.view import names, permalinks
from tui.view.emoji import Emoji
from tui.view.offers import check
from tui.view.quotations import quote
from tui.view.rows import UNFOLDED, Chip, ConversationRow, EchoRow, HeaderRow, MessageRow

if TYPE_CHECKING:
    # Imported when they are used.
    from tui.screens.messages.moving import MoveController
    from tui.screens.messages.pictures import Gallery

IN_DOUBT: Final = "This message may have reached the server, which did not answer."


class MessageActions:
    """Carries out `ConversationList.Asked`, by the tables at the end of this module."""

    def __init__(
        self,
        context: ChatContext,
        writing: ComposeActions,
        gallery: Callable[[], Gallery],
        *,
        destination: Callable[[], Awaitable[Conversation | None]],
    ) -> None:
        """`destination` asks for a conversation, None if canceled."""
        self._context = context
        self._writing = writing
        self._gallery = gallery
        self._destination = destination

    @cached_property
    def _move_controller(self) -> MoveController:
        from tui.screens.messages.moving import MoveController

        return MoveController(self._context)

    async def run(self, name: str, row: MessageRow | EchoRow) -> None:
        """Run an action of `tui.keys.MESSAGE`; an unsent message has fewer of them. Raises NotSupported."""
        if isinstance(row, EchoRow):
            self._run_on_echo(name, row)
        elif name not in ONLY_UNSENT:
            check(self._context.session.store, f"act('{name}')")
            await MESSAGE_ACTIONS[name](self, row)

    def _run_on_echo(self, name: str, row: EchoRow) -> None:
        run = ECHO_ACTIONS.get(name)
        if run is not None:
            run(self, row)

    async def click(self, row: ConversationRow, meta: Mapping[str, Any]) -> None:
        """Handle a click in a row; `meta` names the part, as `message_rows` wrote it."""
        context = self._context
        match row:
            case HeaderRow() if "place" in meta:
                context.go(row.conversation)
            case EchoRow() if "act" in meta:
                self._run_on_echo(meta["act"], row)
            case MessageRow() if "chip" in meta and meta["chip"] < len(row.chips):
                await self.toggle(row.message_id, row.chips[meta["chip"]])
            case MessageRow() if "ballot" in meta:
                from tui.screens.messages import polls

                await polls.click(context, row, meta["ballot"])
            case MessageRow() if "react" in meta:
                await self._choose_reaction(row)
            case MessageRow() if "picture" in meta:
                await self._gallery().view(row, meta["picture"])
            case MessageRow() if "link" in meta:
                await self.follow(links(row.nodes)[meta["link"]])
            case MessageRow() if "fold" in meta:
                context.open_narrow.reveal(row.message_id, UNFOLDED)
            case MessageRow() if "spoiler" in meta:
                context.open_narrow.reveal(row.message_id, meta["spoiler"])
            case MessageRow() if "sender" in meta or "user" in meta:
                await self._show_person(UserId(meta.get("user", meta.get("sender"))))
            case _:
                pass

    # Unsent messages

    def _retry(self, row: EchoRow) -> None:
        self._context.session.sending.retry(row.local_id)

    def _edit_unsent(self, row: EchoRow) -> None:
        in_doubt = self._is_in_doubt(row)
        if self._context.composing.take_back(row.local_id):
            self._context.composing.focus()
            if in_doubt:
                self._context.toast(f"{IN_DOUBT} Look for it before you send it again.")

    def _discard(self, row: EchoRow) -> None:
        in_doubt = self._is_in_doubt(row)
        if self._context.session.sending.discard(row.local_id) is not None and in_doubt:
            self._context.toast(f"{IN_DOUBT} If it did, it will appear here.")

    def _is_in_doubt(self, row: EchoRow) -> bool:
        outgoing = self._context.session.store.outbox.by_id.get(row.local_id)
        return outgoing is not None and outgoing.is_in_doubt

    def _copy_unsent(self, row: EchoRow) -> None:
        self._context.copy(row.text)

    # Reading and replying

    async def _reply(self, row: MessageRow) -> None:
        message = self._context.session.store.message(row.message_id)
        if message is not None:
            self._write_to(conversation_of(message))

    async def _open(self, row: MessageRow) -> None:
        message = self._context.session.store.message(row.message_id)
        if message is None:
            return
        place = conversation_of(message)
        if place == self._context.current_narrow:
            self._write_to(place)
        else:
            self._context.go(place, row.message_id)

    def _write_to(self, place: Conversation) -> None:
        self._context.composing.write_to(place)
        self._context.composing.focus()

    async def _copy(self, row: MessageRow) -> None:
        text = plain_text(row.whole, reveal=True)
        self._context.copy(f"/me {text}" if row.is_me else text)
        self._context.toast("Copied.")

    async def _reveal(self, row: MessageRow) -> None:
        self._context.open_narrow.reveal(row.message_id)

    async def _vote(self, row: MessageRow) -> None:
        from tui.screens.messages import polls

        await polls.choose(self._context, row)

    async def _view_picture(self, row: MessageRow) -> None:
        await self._gallery().view(row)

    async def _show_sender(self, row: MessageRow) -> None:
        await self._show_person(row.sender_id)

    async def _show_person(self, user_id: UserId) -> None:
        from tui.screens.people.card import show_person

        await show_person(self._context, user_id)

    async def _show_info(self, row: MessageRow) -> None:
        from tui.screens.messages import info

        await info.show(self._context, row.message_id)

    async def _star(self, row: MessageRow) -> None:
        await flags.star(self._context.session.sync, [row.message_id], on=not row.is_starred)

    # Moving, forwarding, reminders

    async def _move(self, row: MessageRow) -> None:
        await self._move_controller.move(row.message_id)

    async def _resolve(self, row: MessageRow) -> None:
        await self._move_controller.resolve(row.message_id)

    async def _forward(self, row: MessageRow) -> None:
        from tui.screens.messages.forwarding import forward

        await forward(self._context, row, self._destination)

    async def _remind(self, row: MessageRow) -> None:
        await self._writing.schedule.remind(row.message_id)

    async def _report(self, row: MessageRow) -> None:
        from tui.screens.messages.reporting import report

        await report(self._context, row.message_id)

    async def _save(self, row: MessageRow) -> None:
        await self._writing.attachments.save(row)

    async def _quote(self, row: MessageRow) -> None:
        context = self._context
        with context.hold_type_ahead("fetching the message"):
            markdown = await messages.source(context.session.sync, row.message_id)
        message = context.session.store.message(row.message_id)
        if message is None:
            return
        link = permalinks.in_text(context.session.store, message)
        context.composing.write_to(conversation_of(message))
        context.composing.insert(quote(row, markdown, link))
        context.composing.focus()

    # Reactions

    async def _agree(self, row: MessageRow) -> None:
        if row.chips:
            await self.toggle(row.message_id, row.chips[0])

    async def toggle(self, message_id: MessageId, chip: Chip) -> None:
        """Add the user's own reaction like a chip's, or remove it."""
        await reactions.toggle(
            self._context.session.sync,
            message_id,
            emoji_name=chip.emoji_name,
            emoji_code=chip.emoji_code,
            reaction_type=chip.reaction_type,
        )

    async def _choose_reaction(self, row: MessageRow) -> None:
        with self._context.hold_type_ahead("fetching the emoji"):
            all_emoji = await self._context.emoji.all()
        choices = [
            Choice(value=emoji, label=f"{emoji.text}  {emoji.name.replace('_', ' ')}")
            for emoji in all_emoji
        ]
        emoji: Emoji | None = await self._context.ask(
            Chooser("React", choices, hint="thumbs, heart, tada…", nothing="No matching emoji.")
        )
        if emoji is not None:
            await reactions.toggle(
                self._context.session.sync,
                row.message_id,
                emoji_name=emoji.name,
                emoji_code=emoji.code,
                reaction_type=emoji.type,
            )

    # Edits

    async def _edit(self, row: MessageRow) -> None:
        context = self._context
        if not row.is_own:
            context.toast("Only your own messages can be edited.")
            return
        await edit_message(context, row.message_id, back=context.panes.messages.focus)

    async def _delete(self, row: MessageRow) -> None:
        context = self._context
        sure = await context.ask(
            Question(
                "Delete this message?",
                f"{_beginning(row)}\n\nThis deletes it for everyone.",
                yes="Delete",
            )
        )
        if sure:
            await messages.delete(context.session.sync, row.message_id)

    async def _unread(self, row: MessageRow) -> None:
        context, message_id = self._context, row.message_id
        narrow = context.current_narrow
        if narrow is not None:
            context.seen.pause()
            ignored = await flags.mark_unread_from(context.session.sync, narrow, message_id)
            store = context.session.store
            message = store.message(message_id)
            here = message.channel_id if message is not None else None
            if here is not None and here not in store.channels.subscribed:
                ignored |= {here}  # servers below level 355 do not say so
            if ignored:
                channels = names.listed([names.narrow(store, ChannelNarrow(i)) for i in ignored])
                context.toast(f"You have not joined {channels}: messages there stay read.")

    # Links

    async def _choose_link(self, row: MessageRow) -> None:
        from tui.view import playgrounds

        tries = playgrounds.links(self._context.session.store.realm.playgrounds, row.nodes)
        link_nodes = [*links(row.nodes), *tries]
        site = self._context.session.site
        if not link_nodes:
            self._context.toast("This message has no links.")
        elif len(link_nodes) == 1:
            await self.follow(link_nodes[0])
        else:
            choices = [
                Choice(value=link, label=words(link), detail=host(address(link, site)))
                for link in link_nodes
            ]
            link: LinkNode | None = await self._context.ask(
                Chooser("Open a link", choices, hint="type to filter")
            )
            if link is not None:
                await self.follow(link)

    async def follow(self, link: LinkNode) -> None:
        """Open a link within the chat; ask before anything outside is opened."""
        context = self._context
        place = inside(link, context.session.site, context.session.store.self_id)
        if place is not None:
            await open_link.follow(context, place)
            return
        written = address(link, context.session.site)
        if self._writing.attachments.is_file(link.href):
            await self._writing.attachments.fetch(link.href)
            return
        url = opened(written)
        if url is None:
            context.toast(f"Chinwag does not open links of this kind: {written}")
            return
        where = host(url) or url
        if await context.ask(Question(f"Open {where}?", url, yes="Open")):
            context.open_url(url)


def _beginning(row: MessageRow) -> str:
    text = plain_text(row.nodes).split("\n")
    return text[0][:200] + (" …" if len(text) > 1 or len(text[0]) > 200 else "")


MESSAGE_ACTIONS: Final[Mapping[str, Callable[[MessageActions, MessageRow], Awaitable[None]]]] = {
    "reply": MessageActions._reply,
    "open": MessageActions._open,
    "quote": MessageActions._quote,
    "react": MessageActions._choose_reaction,
    "agree": MessageActions._agree,
    "edit": MessageActions._edit,
    "delete": MessageActions._delete,
    "star": MessageActions._star,
    "unread": MessageActions._unread,
    "links": MessageActions._choose_link,
    "spoiler": MessageActions._reveal,
    "copy": MessageActions._copy,
    "vote": MessageActions._vote,
    "picture": MessageActions._view_picture,
    "sender": MessageActions._show_sender,
    "info": MessageActions._show_info,
    "move": MessageActions._move,
    "resolve": MessageActions._resolve,
    "forward": MessageActions._forward,
    "remind": MessageActions._remind,
    "report": MessageActions._report,
    "save": MessageActions._save,
}
"""The actions of the names in `tui.keys.MESSAGE`."""
ECHO_ACTIONS: Final[Mapping[str, Callable[[MessageActions, EchoRow], None]]] = {
    "reply": MessageActions._retry,
    "retry": MessageActions._retry,
    "edit": MessageActions._edit_unsent,
    "discard": MessageActions._discard,
    "delete": MessageActions._discard,
    "copy": MessageActions._copy_unsent,
}
"""The actions for an unsent message, by the names of its keys and of the buttons below it."""
ONLY_UNSENT: Final = frozenset({"discard"})
"""Keys that do nothing on a message that was sent."""
