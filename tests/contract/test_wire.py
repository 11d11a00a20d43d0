"""What crosses the wire: every event, route and first state of the server is one the client knows."""

import ast
import asyncio
import dataclasses
import random
import re
from collections.abc import Callable, Iterator, Mapping, Set
from pathlib import Path
from typing import Any, Final, get_args

import orjson
import pytest

from server_lite.events.base import KINDS as DEFINED
from server_lite.events.base import ClientCapabilities
from server_lite.routes import TABLE
from server_lite.store.event_log import Entry
from server_lite.store.users import Role
from tests import response_contract
from tests.contract import phone_needs
from tests.contract.in_memory_server import InMemoryServer, copied, found_town
from tests.contract.needs import Needs, lacks
from tests.contract.operations import OPERATIONS, Step
from tests.contract.phone_needs import PHONE
from tests.contract.terminal_needs import TERMINAL
from tests.live import live
from tui.api import decode
from tui.api import events as ev
from tui.api import routes as client_routes
from tui.api.base_url import parse_base_url
from tui.api.connection import Connection, Credentials
from tui.api.fields import wire_fields
from tui.api.routes.queues import EVERYTHING, register
from tui.api.snapshot import InitialSnapshot, RealmSettings, ServerLimits, UserSettings

KINDS = {k: c for k, c in DEFINED.items() if c.__module__.startswith("server_lite.")}
"""The server's own; other tests define some to probe the log with."""

MOST_DAYS: Final = 20

UNPROVOKED: Final[Mapping[str, str]] = {
    "restart": "only a server of another version tells it",
    "has_zoom_token": "needs an account of that provider",
    "has_webex_token": "needs an account of that provider",
}
"""Kinds of events that no operation brings about, and why."""

NEWEST = ClientCapabilities(
    apply_markdown=True,
    slim_presence=True,
    include_subscribers=True,
    **{
        each.name: True
        for each in dataclasses.fields(ClientCapabilities)
        if each.name
        not in ("apply_markdown", "client_gravatar", "slim_presence", "include_subscribers")
        and each.name != "is_guest"
    },
)
"""What the client asks for."""


REGISTERS: Final[Mapping[str, dict[str, Any]]] = {
    "phone": {
        "apply_markdown": True,
        "slim_presence": True,
        "client_gravatar": False,
        "client_capabilities": phone_needs.CAPABILITIES,
    },
    "terminal": {"apply_markdown": True, "client_gravatar": True, "include_subscribers": "true"},
}
"""How other clients register."""


def _nothing(_: dict[str, Any]) -> Iterator[str]:
    return iter(())


OTHERS: Final[
    Mapping[str, tuple[Mapping[str, Needs], ClientCapabilities, Callable[..., Iterator[str]]]]
] = {
    "phone": (
        PHONE,
        ClientCapabilities(
            apply_markdown=True,
            client_gravatar=False,
            slim_presence=True,
            **phone_needs.CAPABILITIES,
        ),
        phone_needs.refuses,
    ),
    "terminal": (
        TERMINAL,
        ClientCapabilities(apply_markdown=True, include_subscribers=True),
        _nothing,
    ),
}
"""What other clients need, and how they are told events."""


def _shapes() -> Iterator[ClientCapabilities]:
    """A client of today, one without any capability, and each that differs from these in one."""
    for shape in (NEWEST, ClientCapabilities()):
        yield shape
        for each in dataclasses.fields(ClientCapabilities):
            yield dataclasses.replace(shape, **{each.name: not getattr(shape, each.name)})


async def _busy_day(town: InMemoryServer, chance: random.Random) -> list[Entry]:
    """Every operation a few times, mostly by the owner, who may do everything."""
    logged: list[Entry] = []
    tell = town.app.database.on_commit

    def told(entries: list[Entry]) -> None:
        logged.extend(entries)
        tell(entries)

    town.app.database.on_commit = told
    names = list(OPERATIONS)
    for _ in range(3):
        chance.shuffle(names)
        for name in names:
            ids = [person.id for person in town.active()]
            owners = town.ids("SELECT id FROM user WHERE role = 100 AND is_active")
            owner = next(place for place, user_id in enumerate(ids) if user_id in owners)
            who = chance.choice((owner, owner, owner, chance.randrange(8)))
            await Step(name, who, chance.getrandbits(64)).run(town)
    return logged


@dataclasses.dataclass(slots=True)
class Days:
    """What is logged on busy days, and what clients are answered in the evening, by their name."""

    logged: list[Entry] = dataclasses.field(default_factory=list)
    answers: list[tuple[str, str, dict[str, Any]]] = dataclasses.field(default_factory=list)


def _everything_happens(folder: Path) -> Days:
    """A number of busy days, each in a new town."""
    # With this seed everything has happened after three days; a new operation may need another.
    template, chance = folder / "template.db", random.Random(9)
    people = found_town(template)
    days = Days()
    for _ in range(MOST_DAYS):
        if KINDS.keys() - {entry.event.kind for entry in days.logged} <= UNPROVOKED.keys():
            break
        town = copied(template, people, folder / "copy.db")
        days.logged += asyncio.run(_busy_day(town, chance))
        days.answers += asyncio.run(_evening(town))
        town.close()
    return days


async def _evening(town: InMemoryServer) -> list[tuple[str, str, dict[str, Any]]]:
    answers = []
    town.give_keys_back()
    for person in town.active():
        for name, parameters in REGISTERS.items():
            answers.append((name, "register", await person.post("register", **parameters)))
        newest = {"anchor": "newest", "num_before": 100, "num_after": 0}
        answer = await person.get("messages", **newest, allow_empty_topic_name=True)
        answers.append(("phone", "messages", answer))
    # Who has another address since does not get in.
    return [each for each in answers if each[2]["status"] == 200]


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory) -> Days:
    """Busy days, and their evenings."""
    return _everything_happens(tmp_path_factory.mktemp("town"))


@pytest.fixture
def logged(days: Days) -> list[Entry]:
    """The events of the days."""
    return days.logged


def test_every_event_means_something_to_the_client(logged: list[Entry]) -> None:
    """Nothing that happens on the server is passed over, whatever a client asked for."""
    shapes = list(_shapes())
    by_kind: dict[str, list[Entry]] = {}
    for entry in logged:
        by_kind.setdefault(entry.event.kind, []).append(entry)
    for entries in by_kind.values():
        for entry in entries[:30]:
            somebody = next(iter(entry.personal), None)
            told = set()
            for personal in (None, None if somebody is None else entry.personal[somebody]):
                for shape in shapes:
                    payload = entry.event.payload(shape, personal)
                    for one in payload if isinstance(payload, list) else [payload]:
                        if one is not None:
                            told.add(orjson.dumps({**one, "id": entry.id}))
            for each in told:  # most shapes are told the same
                one = orjson.loads(each)
                _check_known(one)
                response_contract.check_event(one)
    assert sorted(KINDS.keys() - by_kind.keys()) == sorted(UNPROVOKED)


def test_clients_that_were_not_written_here_can_read_every_event(logged: list[Entry]) -> None:
    """The apps for phones and for terminals that colleagues have already go on living with this server."""
    told = set()
    for name, (table, shape, refuses) in OTHERS.items():
        for entry in logged:
            for personal in (None, *list(entry.personal.values())[:2]):
                payload = entry.event.payload(shape, personal)
                for one in payload if isinstance(payload, list) else [payload]:
                    kind = "" if one is None else _kind(one)
                    if one is not None and kind in table:
                        told.add((name, kind))
                        assert [*lacks(table, kind, one), *refuses(one)] == [], one
    events = {(name, kind) for name, each in OTHERS.items() for kind in each[0] if kind.islower()}
    answers = {"register", "messages", "server_settings", "fetch_api_key", "emoji.json"}
    assert {each for each in events if each[1] not in answers} == told


def _kind(event: dict[str, Any]) -> str:
    return "/".join(filter(None, (event["type"], event.get("op"))))


def test_clients_that_were_not_written_here_can_start(days: Days) -> None:
    """Whoever signs in with them sees channels, people and messages, after whatever happened."""
    assert len(days.answers) >= 9
    for name, kind, answer in days.answers:
        table, _, refuses = OTHERS[name]
        assert [*lacks(table, kind, answer), *refuses(answer)] == []


async def test_the_client_for_phones_can_sign_in(tmp_path: Path) -> None:
    """What it reads before there is a key, and the names of all emoji."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        link = (await ann.post("invites/multiuse", stream_ids=[]))["invite_link"]
        anybody = server.client()
        zoe = {"email": "zoe@example.com", "password": "very long and secret"}
        await anybody.post(link, json={**zoe, "full_name": "Zoe"})
        signed_in = {"username": zoe["email"], "password": zoe["password"]}
        register = await ann.post("register", fetch_event_types=["realm"])
        for kind, answer in (
            ("server_settings", await anybody.get("server_settings")),
            ("fetch_api_key", await anybody.post("fetch_api_key", data=signed_in)),
            ("emoji.json", await anybody.get(register["server_emoji_data_url"])),
        ):
            assert list(lacks(PHONE, kind, answer.json())) == []


@pytest.mark.parametrize(
    ("kind", "value", "is_read"),
    [
        ("int", 1, True),
        ("int", True, False),
        ("int?", None, True),
        ("str", None, False),
        ("[str]", ["a", 1], False),
        ("{int}", {"a": "b"}, False),
        ("str|[int]", [1], True),
        ("Thing", {"id": 1, "more": 2}, True),
        ("Thing", {}, False),
    ],
)
def test_what_a_client_cannot_read_is_noticed(kind: str, value: Any, is_read: bool) -> None:
    """A field that is missing or of another type, however deep."""
    assert (list(lacks({"Thing": {"id": "int"}}, kind, value)) == []) is is_read


def _check_known(payload: dict[str, Any]) -> None:
    event = decode.event(payload, "events")
    assert not isinstance(event, ev.UnknownEvent), payload
    assert (event.type, event.op) in ((payload["type"], payload.get("op")), (payload["type"], None))


_LEGACY: Final = "an older form of another, which this server tells"
NEVER_TOLD: Final[Mapping[tuple[str, str | None], str]] = {
    ("default_stream_groups", None): "there is no way to make one",
    ("device", "update"): "nothing is pushed, so no registration changes",
    ("onboarding_steps", None): "the web application's",
    ("realm", "deactivated"): "no organization is deactivated: its file is moved away",
    ("realm", "update"): "told as update_dict",
    ("realm_bot", "remove"): _LEGACY,
    ("realm_export", None): "the file is the organization: a copy of it is the export",
    ("realm_filters", None): _LEGACY,
    ("update_display_settings", None): _LEGACY,
    ("update_global_notifications", None): _LEGACY,
    ("web_reload_client", None): "the web application's",
    ("has_{provider}_token", None): "told under the name of each provider",
}
"""Events that the client knows from other servers, and why this one has none."""


def test_the_description_names_every_event_that_the_client_knows() -> None:
    """Each type and op is told and described, or it is written down why not; and the other way round."""
    described = {
        kind for shape in response_contract.events() for kind in response_contract.kinds_of(shape)
    }
    known = {(kind.type, kind.op) for kind in get_args(ev.Event) if issubclass(kind, ev.BaseEvent)}
    # Typing and reactions come in two ops, which the client tells apart by a field.
    by_type = {(name, None) for name, op in described if (name, op) not in known}
    assert known - described - by_type == NEVER_TOLD.keys()
    unknown = {each for each in described if each not in known and (each[0], None) not in known}
    assert unknown == {("has_zoom_token", None), ("has_webex_token", None)}


# Routes

_COPY: Final = "`chinwag-server export` makes copies"
UNASKED: Final[Mapping[str, str]] = {
    "GET user_uploads/{}/{}": "the client takes the whole address out of a message",
    "GET openapi.json": "for people who write clients",
    "POST external/{}": "for other services",
    "POST external/slack_incoming": "for other services",
    "DELETE export/realm/{}": _COPY,
    "GET export/realm": _COPY,
    "GET export/realm/consents": _COPY,
    "POST export/realm": _COPY,
    "POST users/me/subscriptions/{}": "one of `subscriptions/properties`",
    "POST mark_topic_as_read": "flags of a narrow, which can mark any",
    "POST mobile_push/register": "for phones",
    "PATCH settings/notifications": "the same as PATCH settings",
    "PATCH settings/display": "a third way of PATCH settings",
    "POST users/me/android_gcm_reg_id": "the same as users/me/android_push_reg_id",
    "DELETE users/me/android_gcm_reg_id": "the same as users/me/android_push_reg_id",
}
"""What the server offers and the client does not use, and why."""

_FULL: Final = "only full servers have it"
UNANSWERED: Final[Mapping[str, str]] = {
    "GET calls/bigbluebutton/create": _FULL,
}
"""What the client can ask of other servers, and this one has not, and why."""

VERBS: Final = {
    "get": "GET",
    "post": "POST",
    "patch": "PATCH",
    "put": "PUT",
    "delete": "DELETE",
    "upload": "POST",
}


def _paths(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """(verb, path) of each call of a connection; places in the path are `{}`."""
    assigned = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "connection"
            and node.func.attr in VERBS
        ):
            path = node.args[0]
            if isinstance(path, ast.Name):
                path = assigned[path.id]
            if not isinstance(path, ast.Subscript):  # cut out of an address that a message has
                yield VERBS[node.func.attr], _text(path)


def _text(path: ast.expr) -> str:
    if isinstance(path, ast.Constant):
        return str(path.value).lstrip("/")
    assert isinstance(path, ast.JoinedStr), ast.dump(path)
    parts = [str(part.value) if isinstance(part, ast.Constant) else "{}" for part in path.values]
    return "".join(parts).lstrip("/")


def _asked() -> set[str]:
    folder = Path(client_routes.__file__).parent
    routes: set[str] = set()
    for file in folder.glob("*.py"):
        tree = ast.parse(file.read_text())
        for function in ast.iter_child_nodes(tree):
            routes |= {f"{verb} {path}" for verb, path in _paths(function)}
    return routes


def _offered() -> set[str]:
    return {
        f"{verb} {re.sub(r'{[^}]*}', '{}', each.pattern)}"
        for each in TABLE.routes
        for verb in each.contracts
    }


def test_the_client_can_ask_for_whatever_the_server_offers() -> None:
    """What the server can do can be reached, or it is written down why not."""
    assert sorted(_offered() - _asked()) == sorted(UNASKED)


def test_the_server_offers_whatever_the_client_asks_for() -> None:
    """What the client asks for is there, or it is written down that only other servers have it."""
    assert sorted(_asked() - _offered()) == sorted(UNANSWERED)


# The first state

NOT_SAID: Final[Mapping[str, str]] = {}
"""Fields of the first state that this server leaves out, and why."""


async def test_the_first_state_leaves_nothing_to_guess(tmp_path: Path) -> None:
    """What my client shows at the start comes from the server and not from assumptions."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        base = parse_base_url(server.url, allow_http=True)
        connection = Connection(base, credentials=Credentials(ann.email, ann.key))
        snapshot = await register(
            connection,
            event_types=None,
            fetch_event_types=None,
            queue_filter=EVERYTHING,
            idle_queue_timeout_seconds=None,
            feature_level=0,
        )
        await connection.aclose()
        assert snapshot.user_id == ann.id
        answer = await ann.post("register", client_capabilities={}, slim_presence=True)
    realm = {key.removeprefix("realm_") for key in answer if key.startswith("realm_")}
    missing = {
        *_lacking(InitialSnapshot, answer.keys() | {"realm", "limits"}),
        *_lacking(ServerLimits, answer.keys()),
        *_lacking(RealmSettings, realm),
        *_lacking(UserSettings, answer["user_settings"].keys()),
    }
    assert sorted(missing) == sorted(NOT_SAID)


def _lacking(kind: type, keys: Set[str]) -> set[str]:
    return {
        f"{kind.__name__}.{each.name}"
        for each in wire_fields(kind)
        if not any(path[0] in keys for path in each.paths)
    }
