"""Any JSON from a service or script: its `content`, or the bot's templates filled with it."""

from typing import Final

import orjson

from server_lite.errors import ApiError
from server_lite.integrations import template
from server_lite.integrations.integration import ConfigOption, Delivery, Integration, Posted
from server_lite.integrations.payload import Payload
from server_lite.integrations.signatures import in_header

MAX_SHOWN: Final = 9900
"""Maximum characters of a payload that is shown as it is."""
_SHOWN: Final = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS
_TOPIC: Final = "topic_template"
_CONTENT: Final = "content_template"


def _post(delivery: Delivery) -> Posted:
    payload = delivery.payload
    named, written = delivery.config.get(_TOPIC, ""), delivery.config.get(_CONTENT, "")
    topic = template.topic(template.parse(named), payload.value) if named else ""
    content = template.content(template.parse(written), payload.value) if written else ""
    return Posted(
        event="post",
        topic=topic or _word(payload, "topic") or "JSON",
        content=content or _word(payload, "content") or _word(payload, "text") or _whole(payload),
    )


def _word(payload: Payload, name: str) -> str:
    value = payload.value.get(name)
    return value if isinstance(value, str) else ""


def _whole(payload: Payload) -> str:
    try:
        text = orjson.dumps(payload.value, option=_SHOWN).decode()
    except orjson.JSONEncodeError as error:
        raise ApiError("The JSON is nested too deeply.") from error
    # Line breaks in JSON strings are escaped, so no line of it can end the fence.
    return f"```json\n{text[:MAX_SHOWN]}\n```"


def _check_template(source: str) -> None:
    template.parse(source)


JSON: Final = Integration(
    name="json",
    display_name="JSON",
    post=_post,
    verify=in_header("X-Hub-Signature-256", "sha256="),
    config_options=(
        ConfigOption(key=_TOPIC, label="Template of the topic", check=_check_template),
        ConfigOption(key=_CONTENT, label="Template of the message", check=_check_template),
    ),
)
