"""Requests that are too much, or not what they should be: refused before any work, and never a 500."""

import asyncio
import types
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final, Union, get_args, get_origin

import orjson
import pytest

from server_lite.api.decoding import MaxItems
from server_lite.api.failures import shown_path
from server_lite.api.params import Parameter
from server_lite.errors import BadParameter
from server_lite.routes import TABLE
from server_lite.store.users import Role
from tests.call_counter import calls
from tests.live import Live, live


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Live]:
    async with live(tmp_path) as running:
        yield running


def _kinds(hint: Any) -> list[Any]:
    return list(get_args(hint)) if get_origin(hint) in (Union, types.UnionType) else [hint]


def _lists() -> list[Any]:
    """Every parameter of every endpoint that takes a list."""
    return [
        pytest.param(parameter, id=f"{verb} {route.pattern} {parameter.name}")
        for route in TABLE.routes
        for verb, contract in route.contracts.items()
        for parameter in (*contract.path, *contract.form)
        if any(get_origin(kind) is list for kind in _kinds(parameter.hint))
    ]


@pytest.mark.parametrize("parameter", _lists())
def test_every_list_has_an_end(parameter: Parameter) -> None:
    """A thousand ids too many are refused, and the refusal looks at none of them."""
    most = next((note.limit for note in parameter.notes if isinstance(note, MaxItems)), 1000)
    refused = []
    for item in (7, "x", ["a", "b"]):
        text = orjson.dumps([item] * (most + 1000)).decode()
        _refusal(parameter, text)  # what is made at the first use of a type does not count
        cost = calls(lambda text=text: refused.append(_refusal(parameter, text)))  # type: ignore[misc]  # bound per item
        assert cost < 200
    assert all(refused)


def _refusal(parameter: Parameter, text: str) -> str:
    try:
        parameter.decode(parameter.name, text)
    except BadParameter as error:
        return error.msg
    return ""


def test_there_are_lists_to_look_at() -> None:
    """The scan finds what it looks for."""
    assert len(_lists()) > 25


def _texts() -> list[Any]:
    return [
        pytest.param(parameter, id=f"{verb} {route.pattern} {parameter.name}")
        for route in TABLE.routes
        for verb, contract in route.contracts.items()
        for parameter in (*contract.path, *contract.form)
        if str in _kinds(parameter.hint)
    ]


@pytest.mark.parametrize("parameter", _texts())
def test_every_text_has_an_end(parameter: Parameter) -> None:
    """Two megabytes in place of a name are refused before anybody looks at a character."""
    text = "é" * 2_000_000
    assert _refusal(parameter, text)
    assert calls(lambda: _refusal(parameter, text)) < 200


async def test_a_topic_of_a_megabyte_is_cut_before_it_is_read(server: Live) -> None:
    """It is truncated as on a full server, and costs what a short one costs."""
    ann = await server.person("Ann", role=Role.OWNER)
    await ann.post("users/me/subscriptions", subscriptions=[{"name": "den"}])
    sent = await ann.post("messages", type="stream", to="den", topic="t" * 500_000, content="x")
    message = (await ann.get(f"messages/{sent['id']}"))["message"]
    assert len(message["subject"]) == 60


@pytest.mark.parametrize("charset", ["unicode_escape", "utf-7", "raw_unicode_escape", "no-such"])
@pytest.mark.parametrize("field", ["content", "to", "topic"])
async def test_a_strange_charset_is_no_way_in(server: Live, charset: str, field: str) -> None:
    """Fields are UTF-8 whatever a request calls them, so nothing that cannot be stored gets through."""
    ann = await server.person("Ann")
    fields = {"type": "direct", "to": f"[{ann.id}]", "topic": "t", "content": "x"}
    fields[field] = "\\ud800+2AA-"
    body = "".join(
        f'--B\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    )
    answer = await ann.http.post(
        "messages",
        content=f"{body}--B--\r\n".encode(),
        headers={"Content-Type": f"multipart/form-data; boundary=B; charset={charset}"},
    )
    assert answer.status_code in (200, 400)
    newest = await ann.get(
        "messages", anchor="newest", num_before=1, num_after=0, narrow=[], apply_markdown=False
    )
    assert "\ud800" not in str(newest)


OPERANDS: Final[tuple[Any, ...]] = ([1], [[]], {"a": 1}, None, 1.5, True)


@pytest.mark.parametrize("operator", ["is", "has", "channel", "sender", "dm", "id", "search"])
async def test_an_operand_of_another_type_is_refused(server: Live, operator: str) -> None:
    """Whatever type stands in a narrow, the answer is no failure of the server."""
    ann = await server.person("Ann")
    place = {"anchor": "newest", "num_before": 1, "num_after": 0}
    for operand in OPERANDS:
        narrow = [{"operator": operator, "operand": operand}]
        read = await ann.get("messages", **place, narrow=narrow)
        assert read.get("status", 200) in (200, 400), operand
        flagged = await ann.post(
            "messages/flags/narrow", **place, narrow=narrow, op="add", flag="read"
        )
        assert flagged.get("status", 200) in (200, 400), operand


async def test_deep_json_of_a_service_is_refused(server: Live) -> None:
    """A service that nests without end gets a sentence."""
    ann = await server.person("Ann", role=Role.OWNER)
    made = await ann.post("bots", full_name="Hook", short_name="hook", bot_type=2)
    deep = b'{"a":' * 300 + b"1" + b"}" * 300
    answer = await server.client().post(f"external/json?api_key={made['api_key']}", content=deep)
    assert (answer.status_code, answer.json()["msg"]) == (400, "The JSON is nested too deeply.")


def test_the_log_shows_no_token_and_no_line_of_a_strangers() -> None:
    """What follows /join/ lets people in; line breaks would forge lines."""
    assert shown_path("/join/abcdef") == "/join/…"
    assert "\n" not in repr(shown_path("/api/v1/x\r\nFAKE"))


async def test_a_hook_that_fails_answers_everybody(server: Live) -> None:
    """What follows one person's change keeps nobody waiting who was stored with it."""

    def fails() -> None:
        raise RuntimeError("a bug")

    def change(tx: Any) -> str:
        tx.after_commit(fails)
        return "stored"

    database = server.app.database
    stored = await asyncio.gather(database.write(change), database.write(change))
    assert list(stored) == ["stored", "stored"]
