"""Parameters: what is sent is what is meant, and everything else is named in a clear refusal."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server_lite.api.answers import Done
from server_lite.api.decoding import BareOrJson, MaxLength, NotBlank
from server_lite.api.params import Alias, EndpointSpec, ParameterGroup, inspect_endpoint
from server_lite.api.routing import route
from server_lite.errors import ApiError, BadParameter, MissingParameter
from server_lite.ids import MessageId
from server_lite.store.connection import Db
from server_lite.store.users import UserRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Parameters that several endpoints share."""

    size: int = 0
    color: str = ""


def example(
    db: Db,
    user: UserRow,
    message_id: MessageId,
    *,
    flag: bool = False,
    count: int = 0,
    topic: Annotated[str, Alias("subject"), MaxLength(10), NotBlank()] = "x",
    note: str | None = "",
    op: Literal["add", "remove"] = "add",
    ids: list[int] = [],  # noqa: B006  # a default is never changed
    value: Annotated[bool | str, BareOrJson()] = False,
    to: Annotated[int | str | list[int] | list[str], BareOrJson()] = 0,
    way: Literal["up", "down"] | None = "up",
) -> Done:
    raise AssertionError("only its signature is read")


CONTRACT: EndpointSpec = inspect_endpoint(example)


def decode(**form: str) -> dict[str, Any]:
    return CONTRACT.arguments(["7"], form)[1]


@pytest.mark.parametrize(
    ("form", "value"),
    [
        ({"flag": "true"}, {"flag": True}),
        ({"count": "-12"}, {"count": -12}),
        ({"topic": "tea"}, {"topic": "tea"}),
        ({"subject": "tea"}, {"topic": "tea"}),
        ({"note": "null"}, {"note": None}),
        ({"op": "remove"}, {"op": "remove"}),
        ({"op": '"remove"'}, {"op": "remove"}),
        ({"ids": "[1, 2]"}, {"ids": [1, 2]}),
        ({"way": "null"}, {"way": None}),
        ({"value": "true"}, {"value": True}),
        ({"value": "#c2c2c2"}, {"value": "#c2c2c2"}),
        ({"value": '"#c2c2c2"'}, {"value": "#c2c2c2"}),
        ({"to": "general"}, {"to": "general"}),
        ({"to": "[9]"}, {"to": [9]}),
        ({"to": '["a@b.c"]'}, {"to": ["a@b.c"]}),
        ({"to": "9"}, {"to": 9}),
    ],
)
def test_what_clients_send_is_understood(form: dict[str, str], value: dict[str, Any]) -> None:
    """Text, numbers and lists arrive as meant, in each of the ways clients encode them."""
    assert decode(**form) == value


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"flag": "1"}, "flag is not a boolean"),
        ({"flag": "True"}, "flag is not a boolean"),
        ({"count": "1_000"}, "count is not an integer"),
        ({"count": "1e3"}, "count is not an integer"),
        ({"count": "٣"}, "count is not an integer"),
        ({"count": "99999999999999999999"}, "count is not an integer"),
        ({"count": "9223372036854775808"}, "count is not an integer"),
        ({"topic": "x" * 11}, "topic is too long (limit: 10 characters)"),
        ({"topic": "  "}, "topic cannot be blank"),
        ({"topic": "a\0b"}, "topic must not contain null bytes"),
        ({"op": "toggle"}, "Invalid op"),
        ({"ids": "1, 2"}, "ids is not valid JSON"),
        ({"ids": '{"a": 1}'}, "ids is not a list"),
        ({"ids": '[1, "2"]'}, "ids[1] is not an integer"),
        ({"ids": "[1.0]"}, "ids[0] is not an integer"),
        ({"ids": "[" * 1_000}, "ids is not valid JSON"),
        ({"ids": "[" * 100_000}, "ids is too long (limit: 1000 items)"),
        ({"ids": "[9223372036854775808]"}, "ids holds a number that is too large"),
        ({"ids": '["\\ud800"]'}, "ids is not valid JSON"),
    ],
)
def test_what_cannot_be_read_is_named(form: dict[str, str], message: str) -> None:
    """A refusal says which parameter is wrong, and how."""
    with pytest.raises(BadParameter) as refused:
        decode(**form)
    assert refused.value.msg == message


@given(text=st.text(), name=st.sampled_from([p.name for p in CONTRACT.form]))
def test_no_text_breaks_the_server(text: str, name: str) -> None:
    """Whatever a client sends is decoded or refused; nothing else can happen."""
    try:
        decode(**{name: text})
    except ApiError as error:
        refusal = error.msg
    else:
        refusal = name
    assert name in refusal


def test_unknown_parameters_are_reported() -> None:
    """A client learns which of its parameters had no effect."""
    assert CONTRACT.arguments(["7"], {"flag": "true", "bogus": "1"})[2] == ["bogus"]


def test_a_missing_parameter_is_named() -> None:
    """A forgotten parameter is told by its name."""

    def needs(db: Db, *, content: str) -> Done:
        raise AssertionError("only its signature is read")

    with pytest.raises(MissingParameter, match="Missing 'content' argument"):
        inspect_endpoint(needs).arguments([], {})


def test_a_bad_number_in_the_path_is_refused() -> None:
    """A path with a word where an id belongs is refused by name."""
    with pytest.raises(BadParameter, match="message_id is not an integer"):
        CONTRACT.arguments(["seven"], {})


def test_a_signature_that_is_no_contract_is_refused() -> None:
    """A mistake in an endpoint is found when its signature is read, and says where."""

    def wrong(whatever: Db) -> Done:
        raise AssertionError("only its signature is read")

    with pytest.raises(TypeError, match="wrong"):
        inspect_endpoint(wrong)


def test_an_endpoint_that_does_not_fit_its_path_is_refused() -> None:
    """The path has no place for its number, which is found when it is asked for, or by a test of all routes."""
    contracts = route("messages", GET=example, POST=example).contracts
    assert ("GET" in contracts, "PUT" in contracts, [*contracts]) == (True, False, ["GET", "POST"])
    with pytest.raises(TypeError, match="example does not fit the path messages"):
        contracts["GET"]
    fitting = route("messages/{message_id}", GET=example).contracts
    assert fitting["GET"] is fitting["GET"]


def test_shared_parameters_arrive_together() -> None:
    """What several endpoints take is understood by each of them, beside what is its own."""

    def paint(db: Db, *, name: str, look: Annotated[Look, ParameterGroup()]) -> Done:
        raise AssertionError("only its signature is read")

    sent = {"name": "wall", "size": "2", "smell": "fresh"}
    _, keyword, unknown = inspect_endpoint(paint).arguments([], sent)
    assert keyword == {"name": "wall", "look": Look(size=2)}
    assert unknown == ["smell"]
