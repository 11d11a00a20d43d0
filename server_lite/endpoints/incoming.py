"""Requests of incoming webhooks. Thin: `integrations` understands the payloads.

The API key is part of the URL, which ends up in those services' settings and logs; therefore only keys of
incoming webhook bots are accepted, which can post and nothing else.
"""

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial
from hashlib import blake2b
from typing import Annotated, Final, NotRequired

from typing_extensions import TypedDict

from server_lite.access.message_validation import cut_topic, normalize_content
from server_lite.access.recipients import Address, address, to_people
from server_lite.actions.bots import webhook_secret
from server_lite.actions.messages import send_message
from server_lite.api.decoding import MaxLength
from server_lite.api.idempotency import MAX_LENGTH, once
from server_lite.api.params import Alias, Body, KeyInQuery, LargeBody, RequestInfo, Resend
from server_lite.context import Context
from server_lite.errors import ApiError
from server_lite.integrations import table
from server_lite.integrations.integration import Delivery, Integration, Unsupported
from server_lite.integrations.integration import Posted as NewMessage
from server_lite.integrations.payload import read
from server_lite.integrations.slack_compatible import SLACK
from server_lite.markup.untrusted_text import on_one_line
from server_lite.store import bots, users
from server_lite.store.bots import BotRow, BotType
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

CLIENT: Final = "IncomingWebhook"
Webhook = Annotated[UserRow, KeyInQuery()]
Name = Annotated[str | None, MaxLength(200)]
Channel = Annotated[str | None, MaxLength(200), Alias("channel")]
Payload = Annotated[Body, LargeBody(4 * 1024 * 1024)]
"""Body of a webhook; pushes of many commits are large."""
Patterns = list[str] | None
SHORT: Final = 8_000
"""Bytes of a body that is read at once: a longer one is read in a thread, with all that it may take to format it."""
MAX_PATTERNS: Final = 100
"""Maximum of event patterns in one URL."""
MAX_PATTERN: Final = 100
"""Maximum of characters in one pattern."""


class Posted(TypedDict):
    """ID of the posted message, or the reason why none was posted."""

    id: NotRequired[int]
    ignored: NotRequired[str]


class PostedAsSlack(Posted):
    """Answer for services that post to Slack, with the field they check."""

    ok: bool


async def slack(
    context: Context,
    user: Webhook,
    *,
    api_key: str = "",
    stream: Name = None,
    topic: Name = None,
    body: Body,
    request: RequestInfo,
) -> PostedAsSlack:
    """Post a webhook in Slack's format; its `channel` is the topic unless the URL names one."""
    posted, _ = await _understood(context, user, SLACK, body)
    return {**await _sent(context, user, stream, topic, posted, context.resend), "ok": True}


async def post(
    context: Context,
    user: Webhook,
    integration: str,
    *,
    api_key: str = "",
    stream: Channel = None,
    topic: Name = None,
    only_events: Patterns = None,
    exclude_events: Patterns = None,
    branches: Name = None,
    body: Payload,
    request: RequestInfo,
) -> Posted:
    """Post a service's webhook, to the URL's topic or to the one that the event suggests.

    `only_events` and `exclude_events` are names of events, in which `*` stands for any characters.
    """
    try:
        posted, repeated = await _understood(context, user, table.named(integration), body)
    except Unsupported as reason:
        return {"ignored": reason.msg}
    chosen = not only_events or _is_among(posted.event, only_events)
    if not chosen or _is_among(posted.event, exclude_events or []):
        return {"ignored": f"Events of type '{posted.event}' are excluded by the webhook's URL."}
    if branches and posted.branch is not None and posted.branch not in _listed(branches):
        return {"ignored": "The branch is not among those of the webhook's URL."}
    return await _sent(context, user, stream, topic, posted, context.resend or repeated)


async def _understood(
    context: Context, bot: UserRow, service: Integration, body: Body
) -> tuple[NewMessage, Resend | None]:
    """Return the message that a request asks for, and the event's number, if it has one; raises ApiError."""
    if bot.bot_type != BotType.INCOMING_WEBHOOK:
        raise ApiError("Only incoming webhook bots can be used here.")
    row = context.read(lambda db: bots.by_id(db, bot.id))
    secret = None
    if row.webhook_secret is not None:
        if service.verify is None:
            raise ApiError(
                f"This bot has a webhook secret, but webhooks of {service.display_name} are not signed."
            )
        secret = webhook_secret(row, context.file_secret()) or ""
    work = partial(_read, service, row, body, secret, context.database.clock())
    return work() if len(body.data) <= SHORT else await context.rendering.apart(bot.id, work)


def _read(
    service: Integration, row: BotRow, body: Body, secret: str | None, now: float
) -> tuple[NewMessage, Resend | None]:
    """Verify the signature, if there is a secret, and format the payload, as stored; raises ApiError."""
    if secret is not None and service.verify is not None:
        service.verify(secret, body.headers, body.data, now)
    payload = read(body.fields.get("payload", body.data))
    delivery = Delivery(headers=body.headers, payload=payload, config=row.config_data)
    posted = service.post(delivery)
    content = posted.content.translate(_CONTROL_CHARACTERS)
    content = normalize_content(content) if content.strip() else ""
    return replace(posted, content=content), _resend(service, delivery)


def _is_among(event: str, patterns: Sequence[str]) -> bool:
    if len(patterns) > MAX_PATTERNS or any(len(pattern) > MAX_PATTERN for pattern in patterns):
        raise ApiError("The webhook's URL names too many events.")
    return any(fnmatchcase(event, pattern) for pattern in patterns)


def _listed(branches: str) -> list[str]:
    return [branch.strip() for branch in branches.split(",")]


def _resend(service: Integration, delivery: Delivery) -> Resend | None:
    """Return the event's number for deduplication: services repeat an event after a lost answer."""
    number = service.delivery_id(delivery)
    key = f"{service.name} {number}"
    if not number or len(key) > MAX_LENGTH:
        return None
    # Some services count the attempts in the payload, so the number alone identifies the event.
    return Resend(key=key, request=blake2b(key.encode(), digest_size=16).digest())


_CONTROL_CHARACTERS: Final = dict.fromkeys({*range(32)} - {ord("\n"), ord("\t")})


async def _sent(
    context: Context,
    bot: UserRow,
    stream: str | None,
    topic: str | None,
    posted: NewMessage,
    resend: Resend | None,
) -> Posted:
    """Send the message as the bot."""

    def run(tx: Tx) -> Posted:
        name = cut_topic(on_one_line(posted.topic if topic is None else topic))
        to = _place(tx, bot, stream, name)
        content = normalize_content(posted.content)
        return {"id": send_message(tx, bot, to, content, client=CLIENT).id}

    async with context.rendering.ahead(bot, posted.content):
        return await context.write(run if resend is None else once(bot.id, resend, run))


def _place(db: Db, bot: UserRow, stream: str | None, topic: str) -> Address:
    """Return the address: the URL's channel, else the bot's channel, else its owner."""
    channel_id = bots.by_id(db, bot.id).sending_channel_id
    if stream or channel_id is not None:
        return address(db, bot, "stream", stream or str(channel_id), topic)
    owner = None if bot.bot_owner_id is None else users.by_id(db, bot.bot_owner_id)
    if owner is None:
        raise ApiError("Missing 'stream' argument")
    return to_people(db, bot, [owner])
