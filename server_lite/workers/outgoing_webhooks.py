"""Calls the programs behind outgoing webhooks with messages for their bots, and posts their answers.

Calls are in the database from the moment the message is sent, so a crash loses none. Each bot has one
call at a time; a program that is slow or gone delays no other.
"""

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from typing import Final

from typing_extensions import TypedDict

from server_lite.actions import outgoing_webhook_replies
from server_lite.actions import outgoing_webhooks as actions
from server_lite.actions.bots import token_of
from server_lite.context import Context
from server_lite.errors import ApiError, Unavailable
from server_lite.ids import UserId
from server_lite.objects.outgoing_webhooks import SLACK, payload, slack_form
from server_lite.store import bots, outgoing_webhooks
from server_lite.store.bots import BotRow
from server_lite.store.connection import Db
from server_lite.store.messages import MessageRow
from server_lite.store.outgoing_webhooks import CallRow
from server_lite.store.users import UserRow
from server_lite.workers.webhook_client import CallFailed, call

AT_ONCE: Final = 8
"""Limit of programs called at the same time."""
log = logging.getLogger("chinwag.server")


class Request(TypedDict, total=False):
    """The body sent to a program: either JSON or a form."""

    json: Mapping[str, object]
    form: Mapping[str, str]


async def run(context: Context) -> None:
    """Check for calls to make every `timing.due` seconds; runs until canceled."""
    busy: dict[UserId, asyncio.Task[None]] = {}
    try:
        while context.settings.webhook_hosts:
            now = context.database.clock()
            due = partial(outgoing_webhooks.bots_due, now=now)
            for bot_id in context.read(due) if len(busy) < AT_ONCE else ():
                if bot_id not in busy and len(busy) < AT_ONCE:
                    busy[bot_id] = asyncio.create_task(call_for(context, bot_id))
            await asyncio.sleep(context.settings.timing.due)
            for bot_id in [one for one, task in busy.items() if task.done()]:
                _note_failure(busy.pop(bot_id))
    finally:
        for task in busy.values():
            task.cancel()
        await asyncio.gather(*busy.values(), return_exceptions=True)


def _note_failure(task: asyncio.Task[None]) -> None:
    """Log a bug in one bot's calls, which ends them; the attempt counts, so that retries end as well."""
    failure = task.exception()
    if failure is not None:
        log.error("calling a bot's program failed: %s", type(failure).__name__, exc_info=failure)


async def call_for(context: Context, bot_id: UserId) -> None:
    """Make all due calls of a bot, oldest first."""
    while True:
        now = context.database.clock()
        call_row = context.read(partial(outgoing_webhooks.next_due, bot_id=bot_id, now=now))
        if call_row is None:
            return
        try:
            await _attempt(context, call_row)
        except Unavailable as error:
            log.warning("a call for a bot was postponed: %s", error.__cause__)
            return


async def _attempt(context: Context, call_row: CallRow) -> None:
    waits = context.settings.timing.webhook_retries
    if call_row.attempts > len(waits):  # the last attempt was started when the server ended
        await context.write(
            lambda tx: outgoing_webhook_replies.give_up(tx, call_row, "its program did not answer.")
        )
        return
    begun = await context.write(lambda tx: actions.begin(tx, call_row))
    if begun is None:
        return
    try:
        content, widget = await _asked(context, call_row, *begun)
    except CallFailed as error:
        why = error.why
        if error.is_final or call_row.attempts == len(waits):
            await context.write(lambda tx: outgoing_webhook_replies.give_up(tx, call_row, why))
        else:
            await context.write(lambda tx: actions.retry(tx, call_row, waits[call_row.attempts]))
        return
    try:
        async with context.rendering.ahead(begun[0], content):
            await context.write(
                lambda tx: outgoing_webhook_replies.answer(tx, call_row, content, widget)
            )
    except Unavailable:
        raise
    except ApiError as refused:
        reason = f"its answer was refused: {refused.msg}"
        await context.write(lambda tx: outgoing_webhook_replies.give_up(tx, call_row, reason))


async def _asked(
    context: Context, call_row: CallRow, bot: UserRow, row: MessageRow
) -> tuple[str, str | None]:
    """Return the text of the program's answer, empty for none, and its widget."""
    secret = context.file_secret()

    def read(db: Db) -> tuple[BotRow, Request]:
        service = bots.by_id(db, bot.id)
        token = token_of(service, secret)
        if service.interface == SLACK:
            return service, Request(form=slack_form(db, bot, row, call_row.trigger, token))
        return service, Request(json=payload(db, bot, row, call_row.trigger, token))

    service, request = context.read(read)
    answer = await call(service.payload_url or "", context.settings.webhook_hosts, **request)
    if answer.get("response_not_required") is True:
        return "", None
    names = ("text",) if service.interface == SLACK else ("content", "response_string")
    content = next((answer[name] for name in names if name in answer), "")
    widget = answer.get("widget_content")
    if not isinstance(content, str) or not isinstance(widget, (str, type(None))):
        raise CallFailed("its program's response contains no text.", is_final=True)
    return content, widget
