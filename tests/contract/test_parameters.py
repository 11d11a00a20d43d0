"""Every parameter of every route, missing, mistyped, oversized or hostile: refused, and nothing happened."""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import pytest
from hypothesis import settings

from server_lite.api.params import EndpointSpec, Parameter
from server_lite.errors import BadParameter
from server_lite.routes import TABLE
from tests.contract.in_memory_server import InMemoryServer, Person, copied, found_town

LONG: Final = 100_000
HOSTILE: Final[tuple[str | bytes, ...]] = (
    "",
    "null",
    "-1",
    "99999999999999999999",
    "x" * LONG,
    "\x00",
    b"\xff\xfe",
    "'; DROP TABLE user; --",
    "[]",
    "{}",
    " ",
    "true",
    "0",
    "1.5",
    "NaN",
    "1e400",
    "[null]",
    '["x", 1]',
    "[-1, 99999999999999999999]",
    '{"new": 999, "old": []}',
    '{"type": "stream", "to": [1], "topic": "", "content": "\\ud800"}',
    '["\\ud800"]',
    "[" * 5000,
    "[" + "1," * 20_000 + "1]",
    "\x1b]0;title\x07\u202e✔ ",
    "../../etc/passwd",
    "999999",
    "١٢",
)
"""What clients might send, by mistake or not, for anything at all."""
VALID: Final[dict[str, str]] = {
    "type": "stream",
    "to": "2",
    "content": "hello",
    "msg_ids": "[13]",
    "messages": "[13]",
    "narrow": "[]",
    "op": "add",
    "flag": "starred",
    "anchor": "newest",
    "num_before": "3",
    "num_after": "3",
    "stream_id": "2",
    "topic_name": "tea",
    "topic": "tea",
    "message_id": "13",
    "report_type": "spam",
    "emoji_name": "wave",
    "msg_type": "widget",
    "draft": '{"type": "", "to": [], "topic": "", "content": "x"}',
    "title": "x",
    "scheduled_delivery_timestamp": "4000000000",
    "fragment": "narrow/is/starred",
    "is_pinned": "true",
    "stream": "kitchen",
    "name": "pantry",
    "subscribers": "[2]",
    "order": "[1]",
    "subscriptions": '[{"name": "kitchen"}]',
    "subscription_data": '[{"stream_id": 2, "property": "pin_to_top", "value": true}]',
    "property": "pin_to_top",
    "value": "true",
    "channel_id": "2",
    "user_id": "3",
    "user_id_or_email": "3",
    "muted_user_id": "3",
    "visibility_policy": "1",
    "email": "mary@example.com",
    "full_name": "Somebody",
    "status": "active",
    "alert_words": '["tea"]',
    "members": "[3]",
    "description": "x",
    "user_group_id": "100",
    "ordered_linkifier_ids": "[1]",
    "pattern": "X-(?P<id>[0-9]+)",
    "url_template": "https://example.com/{id}",
    "field_type": "1",
    "data": "[]",
    "pygments_language": "python",
    "domain": "a.example",
    "allow_subdomains": "true",
    "invitee_emails": "new@example.com",
    "stream_ids": "[2]",
    "storage": '{"a": "b"}',
    "password": "correct horse",
}
"""A good value of each parameter that routes require; for others "1" is as good as any."""
ELSEWHERE: Final[dict[str, dict[str, str]]] = {
    "DELETE users/me/subscriptions": {"subscriptions": '["kitchen"]'},
    "POST typing": {"op": "start"},
    "POST messages/{message_id}/typing": {"op": "start"},
}
"""Good values where a name stands for something else."""
SHORT: Final = 100
"""Profiles with more examples are long runs."""
FEW: Final = 6
"""How many of the hostile values a parameter gets in a short run."""


@dataclass(frozen=True, slots=True)
class Case:
    """One route, and the parameter that is tried."""

    verb: str
    pattern: str
    contract: EndpointSpec
    parameter: Parameter

    async def ask(self, person: Person, value: str | bytes | None) -> dict[str, Any]:
        """Ask with that value of the parameter (None: without it) and good values of others."""
        path = self.pattern
        good = VALID | ELSEWHERE.get(f"{self.verb} {self.pattern}", {})
        for each in self.contract.path:
            text = value if each is self.parameter else good.get(each.name, "1")
            shown = text.decode("latin-1") if isinstance(text, bytes) else str(text)
            start, end = path.index("{"), path.index("}")
            path = path[:start] + shown.replace("{", "(") + path[end + 1 :]
        form = {
            each.name: good.get(each.name, "1")
            for each in self.contract.form
            if each.required and each is not self.parameter
        }
        given: dict[str, str | bytes] = {**form}
        if value is not None and not self.parameter.in_path:
            given[self.parameter.name] = value
        encoded = urlencode(given).encode()
        query, body = (encoded, b"") if self.verb == "GET" else (b"", encoded)
        kind = "application/x-www-form-urlencoded"
        return await person.town.send(
            self.verb, path, query, body, kind, (person.email, person.key)
        )

    def is_undecodable(self, value: str | bytes) -> bool:
        """Whether the value alone is reason enough to refuse."""
        if isinstance(value, bytes):
            return False
        try:
            self.parameter.decode(self.parameter.name, value)
        except BadParameter:
            return True
        return False


def _cases() -> list[Case]:
    return [
        Case(verb, route.pattern, contract, parameter)
        for route in TABLE.routes
        for verb, contract in route.contracts.items()
        for parameter in (*contract.path, *contract.form)
    ]


def _by_route() -> dict[str, list[Case]]:
    cases: dict[str, list[Case]] = {}
    for case in _cases():
        cases.setdefault(f"{case.verb} {case.pattern}", []).append(case)
    return cases


class Watch:
    """Whether anything changed on disk since it was looked at last."""

    def __init__(self, town: InMemoryServer) -> None:
        self._reader = town.app.database.reader
        self._version = self._reader.value("PRAGMA data_version")
        self._digest = self._digest_now()

    def changed(self) -> bool:
        """Look, and remember."""
        version = self._reader.value("PRAGMA data_version")
        if version == self._version:
            return False
        before, self._version, self._digest = self._digest, version, self._digest_now()
        return before != self._digest

    def _digest_now(self) -> bytes:
        tables = self._reader.column(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'message_text%'"
            " AND name NOT IN ('failed_sign_in', 'event_counter')"
        )
        digest = hashlib.blake2b()
        for table in sorted(tables):
            digest.update(repr((table, self._reader.rows(f'SELECT * FROM "{table}"'))).encode())
        return digest.digest()


@dataclass(frozen=True, slots=True)
class Template:
    """A founded organization, to be copied."""

    file: Path
    people: list[tuple[str, str, int]]

    def town(self) -> InMemoryServer:
        return copied(self.file, self.people, self.file.with_name("copy.db"))


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Template:
    """Founded once."""
    file = tmp_path_factory.mktemp("town") / "template.db"
    return Template(file, found_town(file))


def _values(case: Case, turn: int) -> list[str | bytes | None]:
    """All of them in a long run; in a short one, others for each parameter and each person."""
    if settings().max_examples > SHORT:
        return [None, *HOSTILE]
    start = turn * FEW % len(HOSTILE)
    return [None, *(HOSTILE + HOSTILE)[start : start + FEW]]


def _people(town: InMemoryServer, turn: int) -> list[Person]:
    """Owner, administrator, member and guest; one of them in a short run."""
    people = town.active()
    return people if settings().max_examples > SHORT else [people[turn % len(people)]]


async def _try(case: Case, person: Person, values: Sequence[str | bytes | None]) -> None:
    watch = Watch(person.town)
    for value in values:
        answer = await case.ask(person, value)
        shown = (case.verb, case.pattern, case.parameter.name, value and value[:60], answer)
        assert "result" in answer, shown
        if answer["status"] == 200:
            watch.changed()
            continue
        assert answer["msg"], shown
        assert answer["status"] == 405 or answer["code"], shown
        assert not watch.changed(), ("refused, but changed", shown)
        _check_blame(case, value, answer, shown)


def _check_blame(
    case: Case, value: str | bytes | None, answer: dict[str, Any], shown: object
) -> None:
    """Whose fault it is, is said."""
    if case.parameter.in_path:
        return
    if value is None and case.parameter.required and answer["status"] == 400:
        assert answer["code"] == "REQUEST_VARIABLE_MISSING", shown
        assert answer["var_name"] == case.parameter.name, shown
    if value is not None and case.is_undecodable(value) and answer["status"] == 400:
        # A full server calls the content by another name.
        named = "Message" if case.parameter.name == "content" else case.parameter.name
        assert named in answer["msg"] or case.parameter.name in answer["msg"], shown


@pytest.mark.parametrize("name", sorted(_by_route()))
def test_whatever_is_sent_is_answered(template: Template, name: str) -> None:
    """No request makes the server stumble; one that it refuses leaves everything as it was."""

    async def ask(town: InMemoryServer) -> None:
        for case in _by_route()[name]:
            turn = len(name) + len(case.parameter.name)
            for who, person in enumerate(_people(town, turn)):
                await _try(case, person, _values(case, turn + who))

    town = template.town()
    asyncio.run(ask(town))
    town.close()
