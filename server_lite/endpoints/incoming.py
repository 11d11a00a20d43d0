"""What other services post by incoming webhooks: as they post to Slack, or any JSON. Thin.

The key stands in the address, where it ends up in those services' settings and logs; so only keys of
incoming webhook bots are good here, which can write and nothing else.
"""

from typing import Annotated, Final

import orjson
from typing_extensions import TypedDict

from server_lite.access.message_validation import MAX_CONTENT, MAX_TOPIC, clean_content
from server_lite.access.recipients import Address, address, to_people
from server_lite.actions.messages import send_message
from server_lite.api.decoding import MaxLength
from server_lite.api.params import Body, KeyInQuery
from server_lite.errors import ApiError
from server_lite.markup.slack import message_of
from server_lite.store import bots, users
from server_lite.store.bots import BotType
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

CLIENT: Final = "IncomingWebhook"
Webhook = Annotated[UserRow, KeyInQuery()]
_SHOWN: Final = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS
Name = Annotated[str | None, MaxLength(200)]


class Posted(TypedDict):
    """The message's id."""

    id: int


class PostedAsSlack(Posted):
    """The same, with what services look for that post to Slack."""

    ok: bool


def slack(
    tx: Tx,
    user: Webhook,
    *,
    api_key: str = "",
    stream: Name = None,
    topic: Name = None,
    body: Body,
) -> PostedAsSlack:
    """Post what a service sends to Slack; its `channel` is the topic unless the address names one."""
    payload = _object(body)
    content = message_of(payload)
    name = topic if topic is not None else _word(payload, "channel").lstrip("#@")
    return {"ok": True, "id": _post(tx, user, stream, name, content)}


def json(
    tx: Tx,
    user: Webhook,
    *,
    api_key: str = "",
    stream: Name = None,
    topic: Name = None,
    body: Body,
) -> Posted:
    """Post the `content` (or `text`) of a JSON object; one without is shown as it is."""
    payload = _object(body)
    content = _word(payload, "content") or _word(payload, "text")
    if not content:
        try:
            shown = orjson.dumps(payload, option=_SHOWN).decode()
        except orjson.JSONEncodeError as error:
            raise ApiError("The JSON is nested too deeply.") from error
        # Line breaks in JSON's text are escaped, so no line of it can end the fence.
        content = f"```json\n{shown[: MAX_CONTENT - 100]}\n```"
    name = topic if topic is not None else _word(payload, "topic") or "JSON"
    return {"id": _post(tx, user, stream, name, content)}


def _object(body: Body) -> dict[str, object]:
    """The JSON object of a body, or of the field `payload` of a form."""
    try:
        value = orjson.loads(body.fields.get("payload", body.data))
    except orjson.JSONDecodeError as error:
        raise ApiError("Malformed JSON") from error
    if not isinstance(value, dict):
        raise ApiError("The body is not a JSON object.")
    return value


def _word(payload: dict[str, object], name: str) -> str:
    value = payload.get(name)
    return value if isinstance(value, str) else ""


def _post(tx: Tx, bot: UserRow, stream: str | None, topic: str, content: str) -> int:
    """Say it in the bot's name; returns the message's id."""
    text = "".join(c for c in content if c in "\n\t" or c >= " ")
    to = _place(tx, bot, stream, _clean(topic))
    return send_message(tx, bot, to, clean_content(text), client=CLIENT).id


def _clean(topic: str) -> str:
    """On one line and short enough: services put titles there that others wrote."""
    return " ".join("".join(c if c.isprintable() else " " for c in topic).split())[:MAX_TOPIC]


def _place(db: Db, bot: UserRow, stream: str | None, topic: str) -> Address:
    """The channel of the address, else the bot's own, else its owner."""
    if bot.bot_type != BotType.INCOMING_WEBHOOK:
        raise ApiError("Only incoming webhook bots can be used here.")
    channel_id = bots.by_id(db, bot.id).sending_channel_id
    if stream or channel_id is not None:
        return address(db, bot, "stream", stream or str(channel_id), topic)
    owner = None if bot.bot_owner_id is None else users.by_id(db, bot.bot_owner_id)
    if owner is None:
        raise ApiError("Missing 'stream' argument")
    return to_people(db, bot, [owner])
