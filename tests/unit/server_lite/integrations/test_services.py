"""What services post becomes a message under a topic, and nothing in it can do more than be read."""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

import pytest

from server_lite.errors import ApiError
from server_lite.integrations.integration import Posted, Unsupported
from server_lite.integrations.table import INTEGRATIONS
from server_lite.markup.render import render
from tests.unit.server_lite.integrations.recorded import delivery, recorded
from tests.unit.server_lite.markup.organization import Organization

ODD: Final[tuple[Any, ...]] = (
    None,
    7,
    -1.5,
    True,
    "",
    "x",
    "\ud83d\udca9" * 9000,
    [],
    [None],
    ["x"],
    [{}],
    {},
    {"a": 1},
)
"""What a field is replaced by."""
HOSTILE: Final = (
    "@**all** @**Ada Lovelace** @_**Ada Lovelace|7** @*backend* ](https://evil.example) ` ``` ~~~~\n"
    "@**all**\n```\n@**all**\n/poll x"
)
DISGUISED: Final = re.compile(r'href="https://evil\.example[^"]*">(?!https://evil)')
"""A link to the stranger's site under another name."""
OWN_WORDS: Final = frozenset({"json"})
"""Services whose text is that of the bot's owner."""


@pytest.mark.parametrize(("service", "row"), recorded())
def test_what_is_posted_becomes_a_message(service: str, row: dict[str, Any]) -> None:
    """The topic that a person of Zulip expects, and a sentence with what happened."""
    posted = INTEGRATIONS[service].post(delivery(row))
    assert (posted.event, posted.topic, posted.content) == tuple(row["posted"].values())


@pytest.mark.parametrize(("service", "row"), recorded())
def test_a_payload_of_any_shape_is_a_message_or_refused(service: str, row: dict[str, Any]) -> None:
    """Each field in turn is missing or of another type: never an exception that is no answer."""
    post = INTEGRATIONS[service].post
    for holder, name in _fields(row["body"]):
        before = holder[name]
        for odd in ODD:
            holder[name] = odd
            with suppress(ApiError):
                assert isinstance(post(delivery(row)), Posted)
        if isinstance(holder, dict):
            del holder[name]
            with suppress(ApiError):
                assert isinstance(post(delivery(row)), Posted)
        holder[name] = before


@pytest.mark.parametrize(("service", "row"), recorded(without=OWN_WORDS))
def test_text_of_strangers_mentions_nobody(service: str, row: dict[str, Any]) -> None:
    """A title, a name, a branch, a comment: whatever is written there, it is only read."""
    post = INTEGRATIONS[service].post
    for holder, name in _fields(row["body"]):
        before = holder[name]
        if not isinstance(before, str):
            continue
        holder[name] = HOSTILE
        with suppress(ApiError):
            posted = post(delivery(row))
            shown = render(posted.content, Organization())
            assert shown.user_ids | shown.group_ids == frozenset(), name
            assert not any((shown.mentions_channel, shown.mentions_topic)), name
            assert not posted.content.startswith("/"), name
            assert not DISGUISED.search(shown.html), name
        holder[name] = before


def test_what_is_not_supported_is_named() -> None:
    """A service that sends another kind of event is answered in a way that its log explains."""
    row = {"headers": {"X-GitHub-Event": "marketplace_purchase"}, "body": {}}
    with pytest.raises(Unsupported, match="'marketplace_purchase' are not supported"):
        INTEGRATIONS["github"].post(delivery(row))


def test_a_field_that_is_missing_is_named() -> None:
    """Who wrote the payload by hand finds the mistake."""
    row: dict[str, Any] = {"headers": {}, "body": {"object_kind": "issue", "object_attributes": []}}
    with pytest.raises(ApiError, match="'object_attributes' must be an object"):
        INTEGRATIONS["gitlab"].post(delivery(row))
    row["body"] = {"event": {"event_type": "incident.resolved", "data": {}}}
    with pytest.raises(ApiError, match=r"'event\.data\.number' is missing"):
        INTEGRATIONS["pagerduty"].post(delivery(row))


def _fields(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a payload: what holds it, and its name or number there."""
    names = list(value) if isinstance(value, dict) else list(range(len(value)))
    for name in names:
        yield value, name
        if isinstance(value[name], dict | list):
            yield from _fields(value[name])
