"""The composer's state: destination, draft, edit, quotes. Draws nothing; sends through the session."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING

from tui.api.model import LocalId, MessageId
from tui.content.insertion import Spot, spaced
from tui.content.pasted import fit
from tui.dataclass import dataclass
from tui.errors import ApiRefused, TuiError
from tui.keys import keyboard_of
from tui.narrow import Conversation, DmNarrow, Narrow, TopicNarrow, destination_of
from tui.screens.compose.undo_send import UndoSend
from tui.screens.session import Session
from tui.store.drafts import LocalDraft, LocalDraftId
from tui.view import names
from tui.view.titles import write_hint
from tui.view.warnings import warnings
from tui.widgets.composer_place import ComposerPlace
from tui.widgets.status_line import StatusLine

if TYPE_CHECKING:
    # Imported with the session, after the first frame.
    from tui.commands.typing import Where
    from tui.widgets.composer import Composer

NEAR_LIMIT = 0.1
"""Fraction of the longest message; with less room than that, the remaining characters are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedMessage:
    """A message that is being edited; `was` is its Markdown before. `back` is called once it is saved."""

    message_id: MessageId
    was: str
    back: Callable[[], object] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Submitted:
    """A message that is shown but not on disk yet, with the draft that it replaces."""

    local_id: LocalId
    text: str
    draft: LocalDraftId | None
    kept: str


class ComposeController:
    """The composer's state. One draft per destination; an edit is separate from all of them."""

    def __init__(
        self,
        place: ComposerPlace,
        line: StatusLine,
        session: Callable[[], Session],
        *,
        trouble: Callable[[str], None],
        hold_seconds: int = 0,
    ) -> None:
        self._place = place
        self._line = line
        self._session = session
        self._trouble = trouble
        self.place: Conversation | None = None
        self._shown: Narrow | None = None
        self.editing: EditedMessage | None = None
        self._draft: LocalDraftId | None = None
        self._kept = ""
        """The draft's text when it was last loaded or saved here."""
        self._waiting = ""
        self._notes: dict[Hashable, str] = {}
        self._accepted: set[tuple[Conversation, str]] = set()
        self._unsaved: list[_Submitted] = []
        self._holding = UndoSend(
            hold_seconds,
            session,
            after=lambda seconds, call: place.set_timer(seconds, call),
            note=lambda words: self.note("held", words),
            key=self._key,
        )

    @property
    def _composer(self) -> Composer:
        """The composer, which is made when it is asked for."""
        return self._place.composer

    def focus(self) -> None:
        """Focus the composer."""
        self._composer.focus()

    def hold(self, seconds: int) -> None:
        """Set how long messages wait before they are sent, from the next one on."""
        self._holding.seconds = seconds

    def follow(self, narrow: Narrow, suggested: Conversation | None) -> None:
        """Follow another narrow: write there, or to the destination that a feed suggests."""
        self._shown = narrow
        place = narrow if isinstance(narrow, TopicNarrow | DmNarrow) else suggested
        if place is suggested and self.place is None and self.editing is None and self._place.text:
            place = None  # a draft begun without a recipient gets none that the user did not choose
        self.write_to(place)

    def write_to(self, place: Conversation | None) -> None:
        """Change the destination: the draft is saved, and the draft of the new one loaded."""
        self._leave_edit()
        if place != self.place:
            self.keep()
            self.place = place
            self._load_draft()
        self.refresh()

    def go_along(self, source: Conversation, target: Conversation) -> None:
        """Follow a moved topic: a draft for it moves along."""
        if self._shown == source:
            self._shown = target
        if self.place == source:
            self.place = target
            self.keep()
        self.refresh()

    def keep(self) -> None:
        """Save the draft: at a pause in typing, and before another takes its place."""
        self._save_submitted()
        try:
            if self.editing is not None:
                self._keep_edit(self.editing)
            else:
                self._keep_draft(self.place)
        except TuiError as error:
            self._trouble(str(error))

    def _keep_draft(self, place: Conversation | None) -> None:
        text = self._place.whole
        destination = None if place is None else destination_of(place)
        self._draft = self._session().drafts.write(self._draft, destination, text, was=self._kept)
        self._kept = text

    def _load_draft(self) -> None:
        self._take(self._session().drafts.of(self.place) if self.place is not None else None)

    def open_draft(self, draft: LocalDraft, place: Conversation | None) -> None:
        """Open a draft with destination `place`; the current draft is saved."""
        self._leave_edit()
        self.keep()
        self.place = place
        # From the store: it may be the current draft.
        self._take(self._session().store.drafts.local.get(draft.local_id))
        self.refresh()

    def address(self, place: Conversation) -> None:
        """Give a draft without a recipient the destination `place`; a draft that is there stays separate."""
        if self.place is None and self.editing is None and self._place.whole.strip():
            old = self._draft
            self.place, self._draft, self._kept = place, None, ""
            self.keep()
            if old is not None:  # the server's copy would keep its lack of a recipient
                self._session().drafts.discard(old)
            self.refresh()

    def _take(self, draft: LocalDraft | None) -> None:
        self._draft = draft.local_id if draft is not None else None
        self._kept = draft.content if draft is not None else ""
        self._write(self._kept)

    def follow_draft(self) -> None:
        """Follow a draft that was begun, changed or sent elsewhere, unless its text was changed here.

        Text that was changed here stays; at the next pause it becomes a draft of its own. A draft that was
        begun elsewhere appears unless the user is about to write.
        """
        if self._draft is None and self._is_unused:
            self._load_draft()
            return
        text = self._waiting if self.editing is not None else self._place.whole
        if self._draft is None or text != self._kept:
            return
        draft = self._session().store.drafts.local.get(self._draft)
        content = draft.content if draft is not None else ""
        if content == self._kept:
            return
        self._draft = draft.local_id if draft is not None else None
        self._kept = content
        if self.editing is not None:
            self._waiting = content
        else:
            self._write(content)

    @property
    def _is_unused(self) -> bool:
        """Whether nothing is written here, on its way from here, or about to be."""
        busy = self._unsaved or self.editing is not None or self._place.is_focused
        return not busy and not self._place.whole

    def _write(self, text: str) -> None:
        if text != self._place.text:
            self._composer.load_text(text)
            self._composer.move_cursor(self._composer.document.end)
            self.count()

    def _key(self, action_id: str) -> str:
        return keyboard_of(self._place.app).key(action_id)

    def refresh(self) -> None:
        """Show the destination and what is in progress."""
        session = self._session()
        if not session.has_store:
            return
        self._place.set_hint(write_hint(session.store, self.place, self._key))
        if not self._place.is_empty:
            self._composer.is_editing = self.editing is not None
        doing = ""
        if self.editing is not None:
            doing = "editing a message"
        elif self.place is None and self._draft is not None:
            doing = f"no recipient · {self._key('app.new_message')} choose"
        elif self.place is not None and self.place != self._shown:
            to = names.conversation(session.store, self.place)
            doing = f"to {to} · {self._key('app.new_message')} change"
        self._line.show(doing=" · ".join([*filter(None, [doing]), *self._notes.values()]))

    def note(self, about: Hashable, text: str) -> None:
        """Show a note beside the composer; "" removes it."""
        before = self._notes.get(about, "")
        self._notes.pop(about, None)
        if text:
            self._notes[about] = text
        if text != before:
            self.refresh()

    def add(self, place: Conversation | None, text: str, spot: Spot | None = None) -> None:
        """Insert a text at a recorded place or the cursor; into the draft of `place` if it is another
        destination.
        """
        if place is None or place == self.place:
            self._composer.insert_at(spot or self._composer.spot, text)
            return
        session = self._session()
        draft = session.store.drafts.of(place, session.store.self_id)
        before = draft.content if draft is not None else ""
        at = (spot or Spot(before, len(before))).within(before)
        content = before[:at] + spaced(text, before, at) + before[at:]
        session.drafts.write(draft.local_id if draft else None, destination_of(place), content)

    def has(self, place: Conversation | None, text: str) -> bool:
        """Whether the draft of `place` contains a text already."""
        if place is None or place == self.place:
            return text in self._composer.text
        store = self._session().store
        draft = store.drafts.of(place, store.self_id)
        return draft is not None and text in draft.content

    def insert(self, text: str) -> None:
        """Insert a text at the beginning, without control characters."""
        self._composer.move_cursor((0, 0))
        self._composer.insert_at_cursor(fit(text)[0])
        self._composer.move_cursor(self._composer.document.end)

    # Editing

    def begin_edit(
        self, message_id: MessageId, markdown: str, *, back: Callable[[], object] | None = None
    ) -> None:
        """Edit a sent message; the draft waits.

        An unfinished edit of the message is restored; undo removes it.
        """
        self._leave_edit()
        self.keep()
        self._waiting = self._composer.whole
        self.editing = EditedMessage(message_id=message_id, was=markdown, back=back)
        self._write(markdown)
        kept = self._session().edits.get(message_id)
        if kept is not None and kept.content != markdown:
            self.editing = EditedMessage(message_id=message_id, was=kept.was, back=back)
            self._composer.replace_all(kept.content)
        self.refresh()

    def cancel_edit(self) -> bool:
        """Discard the edit, and return to the draft; False if no message was being edited."""
        if self.editing is None:
            return False
        self._forget_edit(self.editing.message_id)
        self._end_edit()
        return True

    def _leave_edit(self) -> None:
        """End an edit that is not saved; it is kept for when the message is edited again."""
        if self.editing is None:
            return
        self.keep()
        if self._composer.text != self.editing.was:
            self._trouble(f"Unsaved edit kept in Drafts ({self._key('app.drafts')}).")
        self._end_edit()

    def _end_edit(self) -> None:
        self.editing = None
        self._write(self._waiting)
        self.refresh()

    def _keep_edit(self, editing: EditedMessage) -> None:
        if self._composer.text == editing.was:
            self._session().edits.remove(editing.message_id)
        else:
            self._note_edit(editing, self._composer.text)

    def _note_edit(self, editing: EditedMessage, text: str) -> None:
        from tui.cache.edits import KeptEdit  # no start waits for it

        self._session().edits.put(
            KeptEdit(
                message_id=editing.message_id,
                was=editing.was,
                content=text,
                updated=self._session().now(),
            )
        )

    def _forget_edit(self, message_id: MessageId) -> None:
        try:
            self._session().edits.remove(message_id)
        except TuiError as error:
            self._trouble(str(error))

    # Sending

    def fits(self, text: str) -> bool:
        """Whether the server accepts a text of that length; shows an error if it does not."""
        longest = self._session().store.realm.limits.max_message_length
        if len(text.strip()) <= longest:
            return True
        self._trouble(
            f"The message is {len(text.strip()) - longest} characters too long."
            f" The limit is {longest}."
        )
        return False

    async def _is_meant(self, place: Conversation, text: str) -> bool:
        """Ask whether to send despite the warnings about it; True without any."""
        unaccepted = [
            each
            for each in warnings(self._session().store, place, text)
            if not (each.of_place and (place, each.text) in self._accepted)
        ]
        if not unaccepted:
            return True
        from tui.screens.dialogs.question import Question  # no start waits for it

        text_of_all = "\n".join(each.text for each in unaccepted)
        question = Question("Send anyway?", text_of_all, yes="Send")
        sure = await self._composer.app.push_screen_wait(question)
        if sure:
            self._accepted |= {(place, each.text) for each in unaccepted}
        return bool(sure)

    def count(self) -> None:
        """Show how many characters are left, when few are."""
        longest = self._session().store.realm.limits.max_message_length
        left = longest - len(self._place.text.strip())
        label = f"{-left} characters too long" if left < 0 else f"{left} characters left"
        self.note("length", label if left < longest * NEAR_LIMIT else "")

    def forget(self, place: Conversation, text: str) -> None:
        """Delete the draft of a text that is saved elsewhere."""
        if place == self.place and self._composer.text == text:
            self._composer.clear_sent(text)
            self.keep()
            return
        session = self._session()
        draft = session.store.drafts.of(place, session.store.self_id)
        if draft is not None and draft.content == text:
            session.drafts.discard(draft.local_id)

    async def submit(self, text: str) -> Conversation | None:
        """Show the message as sent, or save the edit; text that cannot be sent returns to the composer.

        Returns the destination of a message, which is saved and sent from the next `keep` on; None for an
        edit, and if nothing is to be sent.
        """
        if self.editing is not None:
            editing, fits = self.editing, self.fits(text)
            self._composer.settle(text, sent=False)
            if fits:
                await self._save(editing, text)
            return None
        place = self.place
        if place is None:
            self._trouble(f"Choose a destination first ({self._key('app.new_message')}).")
        if place is None or not (self.fits(text) and await self._is_meant(place, text)):
            self._composer.settle(text, sent=False)
            self.keep()
            return None
        local_id = self._holding.show(destination_of(place), text)
        self._unsaved.append(
            _Submitted(local_id=local_id, text=text, draft=self._draft, kept=self._kept)
        )
        self._draft, self._kept = None, ""
        return place

    def _save_submitted(self) -> None:
        """Move submitted messages from the drafts to the outbox, each in one transaction: a crash keeps it in
        one.
        """
        unsaved, self._unsaved = self._unsaved, []
        refused: list[_Submitted] = []
        session = self._session()
        for each in unsaved:
            try:
                within = session.drafts.handing_over(each.draft, each.kept)
                session.sending.save(each.local_id, within=within)
            except TuiError as error:
                self._holding.forget(each.local_id)
                self._trouble(f"Not sent. {error}")
                refused.append(each)
            else:
                self._composer.settle(each.text, sent=True)
        for each in reversed(refused):
            self._composer.settle(each.text, sent=False)
            if each.draft is not None:
                self._draft, self._kept = each.draft, each.kept

    async def _save(self, editing: EditedMessage, text: str) -> None:
        from tui.commands import messages

        self.keep()
        self._end_edit()
        if editing.back is not None and self._place.is_focused:
            editing.back()
        await self._session().typing.stop()
        if text == editing.was:
            return
        session = self._session()
        try:
            await messages.edit(session.sync, editing.message_id, text, was=editing.was)
        except TuiError as error:
            was = editing.was
            if isinstance(error, ApiRefused) and error.code == "EXPECTATION_MISMATCH":
                # Saving again means overwriting the other edit knowingly.
                was = await messages.source(session.sync, editing.message_id)
                self._note_edit(EditedMessage(message_id=editing.message_id, was=was), text)
            self._trouble(_edit_trouble(error, self._key))
            if self.editing is None:
                self.begin_edit(editing.message_id, was, back=editing.back)
                if editing.back is not None:  # it took the focus, and the text is here again
                    self.focus()
        else:
            self._forget_edit(editing.message_id)

    def take_back(self, local_id: LocalId) -> bool:
        """Edit a message that was not sent: it leaves the outbox and becomes a draft."""
        session = self._session()
        self._save_submitted()
        # In the outbox or among the drafts, also after a crash.
        with session.database.transaction():
            outgoing = session.sending.discard(local_id)
            if outgoing is None:
                return False
            self.write_to(outgoing.conversation(session.store.self_id))
            text = self._composer.text
            self._write(outgoing.content + (f"\n{text}" if text.strip() else ""))
            self.keep()
        return True

    def take_back_held(self) -> bool:
        """Edit the last message that is still held back; False if there is none."""
        while (local_id := self._holding.take()) is not None:
            if self.take_back(local_id):
                return True
        return False

    def typed(self) -> bool:
        """Handle a key in the composer; returns whether `notify_typing` has something to send."""
        self._session().presence.touch()  # the composer keeps its keys from the screen
        is_new = self.editing is None or self._composer.text != self.editing.was
        return is_new and self._session().typing.note(self._written_to)

    async def notify_typing(self) -> None:
        """Tell the others that the user is typing, or stopped."""
        where, typing = self._written_to, self._session().typing
        await (typing.stop() if where is None else typing.keystroke(where))

    @property
    def _written_to(self) -> Where | None:
        """The message that is edited, or the conversation in which something is being written."""
        if self.editing is not None:
            return self.editing.message_id
        is_written = self.place is not None and self._composer.text.strip()
        return destination_of(self.place) if self.place is not None and is_written else None


def _edit_trouble(error: TuiError, key: Callable[[str], str]) -> str:
    if isinstance(error, ApiRefused) and error.code == "EXPECTATION_MISMATCH":
        undo, save = key("composer.undo"), key("composer.send")
        return f"Someone else edited this message. {undo} shows their version; {save} keeps yours."
    return str(error)
