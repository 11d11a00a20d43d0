"""What one can do with the selected message: reply, react, edit, delete, star… Draws nothing.

Imported when a session is opened: the commands bring httpx with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tui.api.model import MessageId, UserId
from tui.commands import flags, messages, reactions
from tui.content.extracts import links, plain_text
from tui.content.nodes import LinkNode
from tui.content.web import host
from tui.narrow import ChannelNarrow, conversation_of
from tui.screens.compose.controller import quote
from tui.screens.dialogs.chooser import Choice, Chooser
from tui.screens.dialogs.question import Question
from tui.screens.messages import info as message_info
from tui.screens.messages import open_link, polls
from tui.screens.messages.links import address, inside, opened, words
from tui.screens.people.card import show_person
from tui.view import names, permalinks, playgrounds
from tui.view.emoji import Emoji
from tui.view.offers import check
from tui.view.rows import UNFOLDED, Chip, ConversationRow, EchoRow, HeaderRow, MessageRow

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen


class MessageActions:
    """Carries out what `ConversationList.Asked` asks; each act is a method `do_…`."""

    def __init__(self, screen: AccountScreen) -> None:
        self._screen = screen

    async def act(self, name: str, row: MessageRow | EchoRow) -> None:
        """Do it; acts that make no sense for this row do nothing."""
        if isinstance(row, EchoRow):
            self._act_on_echo(name, row)
            return
        check(self._screen.session.store, f"act('{name}')")
        match name:
            case "reply" | "open":
                self._open_or_write(row, write=name == "reply")
            case "quote":
                await self._quote(row)
            case "react":
                await self._choose_reaction(row)
            case "agree" if row.chips:
                await self.toggle(row.message_id, row.chips[0])
            case "edit":
                await self._edit(row)
            case "delete":
                await self._delete(row)
            case "star":
                sync = self._screen.session.sync
                await flags.star(sync, [row.message_id], on=not row.is_starred)
            case "unread":
                await self._unread(row.message_id)
            case "links":
                await self._choose_link(row)
            case "spoiler":
                self._screen.open_narrow.reveal(row.message_id)
            case "copy":
                self._screen.app.copy_to_clipboard(plain_text(row.whole, reveal=True))
                self._screen.tell("Copied.")
            case "vote":
                await polls.act(self._screen, row)
            case "picture":
                await self._screen.gallery.view(row)
            case "sender":
                await show_person(self._screen, row.sender_id)
            case "info":
                await message_info.show(self._screen, row.message_id)
            case _:
                await self._screen.writing.act_on(name, row)

    async def click(self, row: ConversationRow, meta: Mapping[str, Any]) -> None:
        """Something in a row was clicked; `meta` says what, as `message_rows` wrote it."""
        screen = self._screen
        match row:
            case HeaderRow() if "place" in meta:
                screen.go(row.conversation)
            case EchoRow() if "act" in meta:
                self._act_on_echo(meta["act"], row)
            case MessageRow() if "chip" in meta and meta["chip"] < len(row.chips):
                await self.toggle(row.message_id, row.chips[meta["chip"]])
            case MessageRow() if "ballot" in meta:
                await polls.click(screen, row, meta["ballot"])
            case MessageRow() if "react" in meta:
                await self._choose_reaction(row)
            case MessageRow() if "picture" in meta:
                await screen.gallery.view(row, meta["picture"])
            case MessageRow() if "link" in meta:
                await self.follow(links(row.nodes)[meta["link"]])
            case MessageRow() if "fold" in meta:
                screen.open_narrow.reveal(row.message_id, UNFOLDED)
            case MessageRow() if "spoiler" in meta:
                screen.open_narrow.reveal(row.message_id, meta["spoiler"])
            case MessageRow() if "sender" in meta or "user" in meta:
                await show_person(screen, UserId(meta.get("user", meta.get("sender"))))
            case _:
                pass

    def _act_on_echo(self, name: str, row: EchoRow) -> None:
        screen = self._screen
        match name:
            case "reply" | "retry":
                screen.session.sending.retry(row.local_id)
            case "edit":
                if screen.composing.take_back(row.local_id):
                    screen.composer.focus()
            case "discard" | "delete":
                screen.session.sending.discard(row.local_id)
            case "copy":
                screen.app.copy_to_clipboard(row.text)

    def _open_or_write(self, row: MessageRow, *, write: bool) -> None:
        screen = self._screen
        message = screen.session.store.message(row.message_id)
        if message is None:
            return
        place = conversation_of(message)
        if write or place == screen.open_narrow.narrow:
            screen.composing.write_to(place)
            screen.composer.focus()
        else:
            screen.go(place, row.message_id)

    async def _quote(self, row: MessageRow) -> None:
        screen = self._screen
        with screen.leading_on("fetching the message"):
            markdown = await messages.source(screen.session.sync, row.message_id)
        message = screen.session.store.message(row.message_id)
        if message is None:
            return
        link = permalinks.in_text(screen.session.store, message)
        screen.composing.write_to(conversation_of(message))
        screen.composing.insert(quote(row, markdown, link))
        screen.composer.focus()

    # Reactions

    async def toggle(self, message_id: MessageId, chip: Chip) -> None:
        """React like others did, or take that back."""
        await reactions.toggle(
            self._screen.session.sync,
            message_id,
            emoji_name=chip.emoji_name,
            emoji_code=chip.emoji_code,
            reaction_type=chip.reaction_type,
        )

    async def _choose_reaction(self, row: MessageRow) -> None:
        with self._screen.leading_on("fetching the emoji"):
            known = await self._screen.emoji.all()
        choices = [
            Choice(value=emoji, label=f"{emoji.text}  {emoji.name.replace('_', ' ')}")
            for emoji in known
        ]
        emoji: Emoji | None = await self._screen.app.push_screen_wait(
            Chooser("React", choices, hint="thumbs, heart, tada…", nothing="No matching emoji.")
        )
        if emoji is not None:
            await reactions.toggle(
                self._screen.session.sync,
                row.message_id,
                emoji_name=emoji.name,
                emoji_code=emoji.code,
                reaction_type=emoji.type,
            )

    # Edits

    async def _edit(self, row: MessageRow) -> None:
        screen = self._screen
        if not row.is_own:
            screen.tell("Only your own messages can be edited.")
            return
        await self.edit(row.message_id)

    async def edit(self, message_id: MessageId) -> None:
        """Change a message, from what it says now, or from where one left off."""
        screen = self._screen
        with screen.leading_on("fetching the message"):
            markdown = await messages.source(screen.session.sync, message_id)
        screen.composing.begin_edit(message_id, markdown)
        screen.composer.focus()

    async def _delete(self, row: MessageRow) -> None:
        screen = self._screen
        sure = await screen.app.push_screen_wait(
            Question(
                "Delete this message?",
                f"{_beginning(row)}\n\nThis deletes it for everyone.",
                yes="Delete",
            )
        )
        if sure:
            await messages.delete(screen.session.sync, row.message_id)

    async def _unread(self, message_id: MessageId) -> None:
        screen = self._screen
        narrow = screen.open_narrow.narrow
        if narrow is not None:
            screen.seen.pause()
            ignored = await flags.mark_unread_from(screen.session.sync, narrow, message_id)
            store = screen.session.store
            message = store.message(message_id)
            here = message.channel_id if message is not None else None
            if here is not None and here not in store.channels.subscribed:
                ignored |= {here}  # servers below level 355 do not say so
            if ignored:
                channels = names.listed([names.narrow(store, ChannelNarrow(i)) for i in ignored])
                screen.tell(f"You have not joined {channels}: messages there stay read.")

    # Links

    async def _choose_link(self, row: MessageRow) -> None:
        tries = playgrounds.links(self._screen.session.store.realm.playgrounds, row.nodes)
        found = [*links(row.nodes), *tries]
        site = self._screen.session.site
        if not found:
            self._screen.tell("This message has no links.")
        elif len(found) == 1:
            await self.follow(found[0])
        else:
            choices = [
                Choice(value=link, label=words(link), detail=host(address(link, site)))
                for link in found
            ]
            link: LinkNode | None = await self._screen.app.push_screen_wait(
                Chooser("Open a link", choices, hint="type to filter")
            )
            if link is not None:
                await self.follow(link)

    async def follow(self, link: LinkNode) -> None:
        """Go to a place in the chat; ask before anything outside is opened."""
        screen = self._screen
        place = inside(link, screen.session.site, screen.session.store.self_id)
        if place is not None:
            await open_link.follow(screen, place)
            return
        written = address(link, screen.session.site)
        if screen.writing.attaching.is_file(link.href):
            await screen.writing.attaching.fetch(link.href)
            return
        url = opened(written)
        if url is None:
            screen.tell(f"Chinwag does not open links of this kind: {written}")
            return
        where = host(url) or url
        if await screen.app.push_screen_wait(Question(f"Open {where}?", url, yes="Open")):
            screen.app.open_url(url)


def _beginning(row: MessageRow) -> str:
    text = plain_text(row.nodes).split("\n")
    return text[0][:200] + (" …" if len(text) > 1 or len(text[0]) > 200 else "")
