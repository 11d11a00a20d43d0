"""Scheduled messages and reminders. Asks, and tells the server.

Imported when a session is opened: the commands bring HTTP with them.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tui.api.features import REMINDER_NOTES
from tui.api.model import MessageId, Reminder, ScheduledMessage
from tui.commands import reminders, scheduled_messages
from tui.commands.idempotency import Attempts
from tui.content.extracts import plain_text
from tui.content.sanitize import sanitize_line
from tui.keys import keyboard_of
from tui.narrow import conversation_of, destination_of
from tui.screens.context import ChatContext
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.datetime_prompt import Moment, MomentPrompt
from tui.screens.dialogs.question import Question
from tui.screens.dialogs.text_editor import TextDialog, TitledText
from tui.store import drafts
from tui.view import names
from tui.view.rows import parsed

ScheduledAction: TypeAlias = Literal["send", "edit", "time", "go", "delete"]


class ScheduleController:
    """Scheduling and reminding; each method asks for what it needs."""

    def __init__(self, context: ChatContext) -> None:
        self._context = context
        self._attempts = Attempts()

    async def send_later(self) -> None:
        """Schedule the draft for a time that the user chooses."""
        context = self._context
        composing, text = context.composing, context.panes.composer.text
        place = composing.place
        if composing.editing is not None or place is None or not text.strip():
            context.toast("Write a message first, then say when to send it.")
            return
        if not composing.fits(text):
            return
        to = names.conversation(context.session.store, place)
        moment = await self._ask(f"Send to {to}")
        if moment is None:
            return
        await scheduled_messages.create(
            context.session.sync,
            self._attempts,
            destination=destination_of(place),
            content=text,
            at=moment.at,
        )
        composing.forget(place, text)
        context.toast(
            f"Scheduled for {context.times.moment(moment.at)}. F10 shows scheduled messages."
        )

    async def remind(self, message_id: MessageId) -> None:
        """Set a reminder of a message for a time that the user chooses."""
        context = self._context
        realm = context.session.store.realm
        noted = REMINDER_NOTES.is_in(realm.feature_level)
        moment = await self._ask(
            "Remind you of this message",
            longest_note=realm.limits.max_reminder_note_length if noted else 0,
        )
        if moment is not None:
            await reminders.create(
                context.session.sync, self._attempts, message_id, at=moment.at, note=moment.note
            )
            context.toast(f"You will be reminded on {context.times.moment(moment.at)}.")

    async def show(self) -> None:
        """Show scheduled messages and reminders, the next first, with actions on each."""
        at = 0
        while True:
            choices = self._choices()
            key = keyboard_of(self._context.app).key
            chosen = await self._context.ask(
                Chooser(
                    "Scheduled",
                    choices,
                    hint="type to filter",
                    nothing=f"Nothing scheduled. {key('app.later')} schedules, {key('message.remind')} reminds.",
                    at=at,
                )
            )
            if chosen is None or await self._is_changed(chosen):
                return
            at = next(i for i, each in enumerate(choices) if each.value == chosen)

    def _choices(self) -> list[Choice[ScheduledMessage | Reminder]]:
        """Return what is scheduled: what failed, then the next first."""
        store = self._context.session.store
        waiting: list[ScheduledMessage | Reminder] = [
            *store.scheduled.all(),
            *store.reminders.all(),
        ]
        waiting.sort(key=lambda each: (not each.failed, each.scheduled_delivery_timestamp))
        return [
            Choice(value=each, label=self._label(each), detail=self._about(each), weight=-at)
            for at, each in enumerate(waiting)
        ]

    async def _is_changed(self, chosen: ScheduledMessage | Reminder) -> bool:
        """Ask what to do, and do it; return False after Esc."""
        if isinstance(chosen, Reminder):
            return await self._change_reminder(chosen)
        return await self._change(chosen)

    def _label(self, waiting: ScheduledMessage | Reminder) -> str:
        """Return the beginning of the text; for a reminder without a note, of its message."""
        text = waiting.content
        if isinstance(waiting, Reminder) and not text.strip():
            store = self._context.session.store
            message = store.message(waiting.reminder_target_message_id)
            text = plain_text(parsed(message.content, message.is_me_message)) if message else ""
        return _beginning(text) or "a message"

    def _about(self, waiting: ScheduledMessage | Reminder) -> str:
        when = self._context.times.moment(waiting.scheduled_delivery_timestamp)
        failed = "NOT SENT · " if waiting.failed else ""
        if isinstance(waiting, Reminder):
            return f"{failed}reminder · {when}"
        store = self._context.session.store
        to = scheduled_messages.destination_of(waiting)
        place = names.conversation(store, drafts.conversation_of(to, store.self_id))
        return f"{failed}to {place} · {when}"

    async def _change(self, scheduled: ScheduledMessage) -> bool:
        session = self._context.session
        choice = await self._choose_action(
            scheduled,
            ("send", "Send now"),
            ("edit", "Edit"),
            ("time", "Reschedule"),
            ("delete", "Delete"),
        )
        match choice:
            case "send":
                await scheduled_messages.send_now(
                    session.sync, scheduled, session.drafts, session.sending
                )
            case "edit":
                was = TitledText(title="", text=scheduled.content)

                async def submit(written: TitledText) -> None:
                    await scheduled_messages.edit(session.sync, scheduled, written.text)

                await self._context.ask(TextDialog("Scheduled", was, submit=submit))
            case "time":
                moment = await self._ask("Reschedule")
                if moment is not None:
                    await scheduled_messages.put_off(session.sync, scheduled, moment.at)
            case "delete" if await self._gives_up(scheduled):
                await scheduled_messages.delete(session.sync, scheduled)
                self._context.toast("Scheduled message deleted.")
        return choice is not None

    async def _change_reminder(self, reminder: Reminder) -> bool:
        sync = self._context.session.sync
        choice = await self._choose_action(
            reminder, ("go", "Go to the message"), ("time", "Reschedule"), ("delete", "Delete")
        )
        if choice == "time" and (moment := await self._ask("Reschedule")) is not None:
            await reminders.reschedule(sync, self._attempts, reminder, moment.at)
            self._context.toast(f"You will be reminded on {self._context.times.moment(moment.at)}.")
        if choice == "delete" and await self._gives_up(reminder):
            await reminders.delete(sync, reminder.reminder_id)
        elif choice == "go":
            message = await reminders.target(sync, reminder.reminder_target_message_id)
            self._context.go(conversation_of(message), message.id)
        return choice is not None

    async def _gives_up(self, waiting: ScheduledMessage | Reminder) -> bool:
        is_reminder = isinstance(waiting, Reminder)
        title = "Delete this reminder?" if is_reminder else "Delete this scheduled message?"
        text = waiting.content.strip() or self._label(waiting)
        answer: bool | None = await self._context.ask(Question(title, text, yes="Delete"))
        return bool(answer)

    async def _choose_action(
        self, waiting: ScheduledMessage | Reminder, *actions: tuple[ScheduledAction, str]
    ) -> ScheduledAction | None:
        choices = [
            Choice(value=choice, label=label, weight=-float(at))
            for at, (choice, label) in enumerate(actions)
        ]
        return await self._context.ask(
            Chooser[ScheduledAction](self._label(waiting), choices, hint=self._about(waiting))
        )

    async def _ask(self, title: str, *, longest_note: int = 0) -> Moment | None:
        context = self._context
        return await context.ask(
            MomentPrompt(title, times=context.times, clock=self._now, longest_note=longest_note)
        )

    def _now(self) -> float:
        """Return the server's time in UNIX seconds, by which messages are sent: this machine's clock may be wrong."""
        return self._context.clock() + self._context.session.store.presences.server_ahead


def _beginning(content: str) -> str:
    line = sanitize_line(content.strip())
    return line if len(line) <= 40 else f"{line[:39]}…"
