"""Requests made from the description of the API, sent by people of every role.

Whatever is asked, the answer is what the endpoint promises (`tests.response_contract`), or a refusal with a
code and a reason; never a failure. Numbers and words are often such as the town knows, so that many
requests have something to do.
"""

import asyncio
import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final
from urllib.parse import unquote, urlencode

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from server_lite.actions.users import create_user
from server_lite.api.openapi import document
from server_lite.routes import TABLE
from server_lite.store.users import Role
from tests.contract.in_memory_server import PIXEL, START, InMemoryServer, Person, copied, found_town

ROLES: Final = ("Olga", "Adam", "Mona", "Mary", "Gina", "Robot", "nobody")
"""Owner, administrator, moderator, member, guest, bot, and who has not signed in."""

WORDS: Final = (
    "kitchen",
    "cellar",
    "window",
    "tea",
    "welcome",
    "helpers",
    "wave",
    "party",
    "stream",
    "channel",
    "direct",
    "add",
    "remove",
    "read",
    "starred",
    "newest",
    "active",
    "color",
    "is_muted",
    "#c6a8ad",
    "a.example",
    "mary@example.com",
    "[1, 2]",
    "narrow/is/starred",
    "Europe/Vienna",
)
"""What the town knows, and what the server has words for where the description says only text."""
MEANT: Final[dict[str, tuple[Any, ...]]] = {
    "anchor": ("newest", "first_unread", "3"),
    "narrow": ([], [["channel", 1]], [["search", "hello"]], [{"operator": "is", "operand": "dm"}]),
    "num_before": (0, 3),
    "num_after": (0, 3),
    "op": ("add", "remove", "start"),
    "flag": ("read", "starred"),
    "to": (1, [1], [2, 4], "kitchen"),
    "emoji_name": ("wave", "party"),
    "status": ("active", "idle"),
    "property": ("color", "is_muted"),
    "value": ("#c6a8ad", True),
    "url_template": ("https://example.com/{id}", "https://example.com/{code}"),
    "pattern": ("T-(?P<id>[0-9]+)", "X(?P<id>[0-9])"),
    "pygments_language": ("python",),
    "invitee_emails": ("new@example.com", "a@example.com, b@example.com"),
    "bot_type": (1, 2, 3),
    "payload_url": ("https://example.com/",),
    "interface_type": (1, 2),
    "short_name": ("helper", "other"),
    "email": ("new@example.com",),
    "password": ("correct horse battery staple",),
    "full_name": ("Newcomer", "Somebody"),
    "token": ("abcdef",),
    "appid": ("org.example",),
    "queue_id": ("nothing",),
    "msg_ids": ([1, 2, 3],),
    "messages": ([1, 2, 3],),
    "message_id": (1, 2, 3, 9),
    "content": ("hello", '{"type": "new_option", "idx": 1, "option": "bread"}'),
    "field_type": (1, 4),
    "profile_data": ([{"id": 1, "value": "tea"}],),
    "data": ([{"id": 1, "value": "tea"}], [1]),
    "drafts": ([{"type": "private", "to": [1], "topic": "", "content": "so"}],),
    "draft": ({"type": "private", "to": [1], "topic": "", "content": "so"},),
    "scheduled_delivery_timestamp": (int(START) + 10**6,),
    "user_id_or_email": ("2", "mary@example.com"),
}
"""What parameters of these names may be, where the type alone says little."""
LARGEST: Final = 12
"""Most ids of the town are below this."""
DROPPED: Final = 0.5
"""How often a parameter is left out that need not be there."""
UNLIKELY: Final = 0.3
"""How often a value stays as it was made from the description."""


@cache  # not at import: each worker of the suite imports this
def _document() -> dict[str, Any]:
    described = document(TABLE)
    for verbs in described["paths"].values():
        for operation in verbs.values():
            operation["security"] = []  # the test signs in itself
    return described


def _choices(schema: Any) -> set[str]:
    """All words that the description itself lists: what is one of them is meant."""
    if isinstance(schema, list):
        return set().union(*map(_choices, schema))
    if not isinstance(schema, dict):
        return set()
    own = {one for one in schema.get("enum", ()) if isinstance(one, str)}
    return own.union(*map(_choices, schema.values()))


@cache
def _meant_words() -> set[str]:
    return _choices(_document())


def _requests() -> st.SearchStrategy[Any]:
    """Requests to all operations."""
    import schemathesis  # takes half a second
    from schemathesis.core.result import Ok

    operations = [
        result.ok()
        for result in schemathesis.openapi.from_dict(_document()).get_all_operations()
        if isinstance(result, Ok)
    ]
    return st.sampled_from(operations).flatmap(lambda one: one.as_strategy())


REQUESTS: Final = st.deferred(_requests)


@dataclass(frozen=True)
class Template:
    """A founded organization, to be copied."""

    file: Path
    people: list[tuple[str, str, int]]

    def town(self) -> InMemoryServer:
        """A fresh copy; the one before it is gone."""
        return copied(self.file, self.people, self.file.with_name("copy.db"))


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Template:
    """Founded once, with a moderator and a bot beside the usual people."""
    file = tmp_path_factory.mktemp("town") / "template.db"
    people = found_town(file)
    town = InMemoryServer(file)
    mona = town.app.database.write_now(
        lambda tx: create_user(
            tx, email="mona@example.com", full_name="Mona", role=Role.MODERATOR, password=None
        )
    )
    (bot,) = town.app.database.reader.rows("SELECT email, id FROM user WHERE full_name = 'Robot'")
    town.close()
    return Template(file, [*people, ("Mona", "mona@example.com", mona.id), ("Robot", *bot)])


def _likely(value: Any, chance: Random) -> Any:
    """The value, often with numbers and words in it that mean something here."""
    if isinstance(value, dict):
        return {name: _likely(one, chance) for name, one in value.items()}
    if isinstance(value, list):
        return [_likely(one, chance) for one in value]
    if isinstance(value, bool) or value is None or chance.random() < UNLIKELY:
        return value
    if isinstance(value, int):
        return chance.randrange(LARGEST)
    return chance.choice(WORDS) if isinstance(value, str) and value not in _meant_words() else value


def _meant(given: Any, required: Collection[str], chance: Random) -> dict[str, str]:
    """The parameters of a request, encoded; fewer of those that need not be there."""
    values = given if isinstance(given, dict) else {}
    chosen: dict[str, Any] = {}
    for name in sorted({*values, *required}):
        if name not in required and chance.random() < DROPPED:
            continue
        if name in MEANT and chance.random() > UNLIKELY:
            chosen[name] = chance.choice(MEANT[name])
        elif name in values:
            value = values[name]
            text = isinstance(value, str) and value[:1] in ("[", "{")  # JSON already
            chosen[name] = value if text else _likely(value, chance)
    return _encoded(chosen)


def _required(case: Any) -> set[str]:
    operation = _document()["paths"][case.path][case.method.lower()]
    names = {one["name"] for one in operation["parameters"] if one["required"]}
    for content in operation.get("requestBody", {}).get("content", {}).values():
        names.update(content["schema"].get("required", ()))
    return names


def _encoded(values: dict[str, Any]) -> dict[str, str]:
    """Parameters as clients send them: text as it is, everything else as JSON."""
    return {
        name: value if isinstance(value, str) else json.dumps(value, default=str)
        for name, value in values.items()
    }


async def _send(town: InMemoryServer, person: Person | None, case: Any, chance: Random) -> int:
    """One request; returns its status. What it must not be answered is raised on the way."""
    path = case.path.lstrip("/")
    required = _required(case)
    for name, value in (case.path_parameters or {}).items():
        given = {name: unquote(value) if isinstance(value, str) else value}
        path = path.replace(f"{{{name}}}", _meant(given, given, chance)[name])
    in_path = set(case.path_parameters or ())
    in_query = {
        one["name"] for one in _document()["paths"][case.path][case.method.lower()]["parameters"]
    }
    query = urlencode(_meant(case.query, required & in_query - in_path, chance)).encode()
    body = _meant(case.body, required - in_query - in_path, chance)
    if case.media_type == "multipart/form-data":
        content, kind = _multipart(body), "multipart/form-data; boundary=x"
    elif case.media_type == "application/json":
        content, kind = json.dumps(body).encode(), "application/json"
    else:
        content, kind = urlencode(body).encode(), "application/x-www-form-urlencoded"
    auth = None if person is None else (person.email, person.key)
    answer = await town.send(case.method.upper(), path, query, content, kind, auth)
    status: int = answer["status"]
    return status


def _multipart(body: dict[str, str]) -> bytes:
    parts = [
        b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
        % (name.encode(), value.encode())
        for name, value in body.items()
        if name != "file"
    ]
    if "file" in body:
        parts.append(
            b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n'
            b"Content-Type: image/png\r\n\r\n%s\r\n" % PIXEL
        )
    return b"".join(parts) + b"--x--\r\n"


def _try_everything(template: Template, name: str, examples: int | None) -> None:
    town = template.town()
    loop = asyncio.new_event_loop()
    here: dict[str, InMemoryServer] = {"town": town}

    def person() -> Person | None:
        return next((one for one in here["town"].people if one.name == name), None)

    @given(REQUESTS, st.integers(0, 2**32))
    def ask(case: Any, seed: int) -> None:
        asked = _send(here["town"], person(), case, Random(seed))
        status = loop.run_until_complete(asyncio.wait_for(asked, timeout=10))
        if status == 401 and name != "nobody":  # they closed their account, or gave back their key
            here["town"].close()
            here["town"] = template.town()

    phases = [Phase.generate]
    limited = (
        settings(phases=phases)
        if examples is None
        else settings(phases=phases, max_examples=examples)
    )
    try:
        limited(ask)()
    finally:
        here["town"].close()
        loop.close()


@pytest.mark.parametrize("name", ROLES)
def test_whatever_is_asked_is_answered_as_described(template: Template, name: str) -> None:
    """Nobody, whatever they may do, gets a failure or an answer that a client cannot read."""
    _try_everything(template, name, 50)


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", ROLES)
def test_whatever_is_asked_is_answered_as_described_for_long(template: Template, name: str) -> None:
    """The same, for longer."""
    _try_everything(template, name, None)
