"""A town in which every object has a mark, with the oracle's model of it beside the server.

Every text that a user enters contains `zq<kind><number>z`, and IDs of every kind start at a number
of their own: every part of an answer can be traced to its object. Steps run on the server
and, if the oracle allows them, in the model; both must agree on what is allowed.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

from server_lite.actions.organization import NewOrganization, set_up_organization
from server_lite.actions.users import create_user
from server_lite.store.database import Database, Tx
from server_lite.store.realm import DEFAULT_DOMAIN
from server_lite.store.users import Role
from tests.contract.in_memory_server import START, InMemoryServer, Person, copied
from tests.contract.oracle import (
    ADMINISTRATOR,
    GUEST,
    MEMBER,
    MODERATOR,
    OWNER,
    Channel,
    Message,
    Model,
    User,
)

T = TypeVar("T")

ROLES: Final = (OWNER, ADMINISTRATOR, MODERATOR, MEMBER, MEMBER, GUEST, GUEST)
FIRST_IDS: Final = {
    "channel": 51000000,
    "message": 52000000,
    "user": 53000000,
    "draft": 54000000,
    "scheduled_message": 55000000,
    "saved_snippet": 56000000,
    "upload": 57000000,
}
"""Numbers after which a table's IDs start."""

KINDS: Final[tuple[dict[str, bool], ...]] = (
    {},
    {"invite_only": True, "history_public_to_subscribers": True},
    {"invite_only": True, "history_public_to_subscribers": False},
    {"is_web_public": True},
)
SYSTEM_GROUPS: Final = {
    OWNER: "role:owners",
    ADMINISTRATOR: "role:administrators",
    MODERATOR: "role:moderators",
    MEMBER: "role:members",
    GUEST: "role:everyone",
}

BOTS: Final[tuple[dict[str, Any], ...]] = (
    {"bot_type": 1},
    {"bot_type": 2},
    {"bot_type": 3, "payload_url": "http://127.0.0.1:9/", "interface_type": 1},
)
"""One that is used like a person, one that only sends, one that is called."""
USER_GROUPS: Final = ("helpers", "readers")

Step = tuple[str, int, int]
"""Operation, user, and a number that determines the details."""


class Disagreement(AssertionError):
    """The server and the oracle disagree."""


@dataclass(frozen=True, slots=True)
class Template:
    """A created organization, to be copied."""

    file: Path
    people: list[tuple[str, str, int]]
    groups: dict[str, int]

    def town(self) -> InMemoryServer:
        """Return a fresh copy; the previous one is deleted."""
        return copied(self.file, self.people, self.file.with_name("copy.db"))


def found_marked_town(file: Path) -> Template:
    """Create users of all roles, bots of all types, two empty groups, and no channel."""
    database = Database(file, clock=lambda: START)

    def populate(tx: Tx) -> list[tuple[str, str, int]]:
        _count_from(tx, "user", FIRST_IDS["user"])
        name, email = _who(0)
        owner = set_up_organization(
            tx, NewOrganization(name="Town", owner_email=email, owner_name=name, password=None)
        )
        for table, number in FIRST_IDS.items():
            if table != "user":  # welcome texts have no mark
                _count_from(tx, table, number)
        people: list[tuple[str, str, int]] = [(name, email, owner.id)]
        for number, role in list(enumerate(ROLES))[1:]:
            name, email = _who(number)
            user = create_user(tx, email=email, full_name=name, role=Role(role), password=None)
            people.append((name, email, user.id))
        return people

    people = database.write_now(populate)
    database.close()
    town = InMemoryServer(file)
    for person in people:
        town.add(*person)
    groups = asyncio.run(_furnish(town, people))
    town.close()
    return Template(file, people, groups)


def _count_from(tx: Tx, table: str, number: int) -> None:
    tx.run("DELETE FROM sqlite_sequence WHERE name = ?", table)
    tx.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", table, number)


def _who(number: int) -> tuple[str, str]:
    return f"zqu{number}z", f"zqe{number}z@example.com"


async def _furnish(town: InMemoryServer, people: list[tuple[str, str, int]]) -> dict[str, int]:
    olga, member = town.people[0], town.people[3]
    await olga.patch(
        "realm",
        enable_spectator_access=True,
        send_channel_events_messages=False,
        can_create_web_public_channel_group={"new": await _group(olga, "role:members")},
    )
    for kind in BOTS:
        number = len(people)
        made = await member.post(
            "bots", full_name=f"zqu{number}z", short_name=f"zqe{number}z", **kind
        )
        people.append((f"zqu{number}z", f"zqe{number}z-bot@{DEFAULT_DOMAIN}", made["user_id"]))
    for name in USER_GROUPS:
        made = await olga.post("user_groups/create", name=name, description="", members=[])
        assert made["status"] == 200, made
    listed = (await olga.get("user_groups"))["user_groups"]
    return {group["name"]: group["id"] for group in listed}


async def _group(person: Person, name: str) -> int:
    listed = (await person.get("user_groups"))["user_groups"]
    group_id: int = next(group["id"] for group in listed if group["name"] == name)
    return group_id


@dataclass
class TracedServer:
    """The server, the model, and the object of each mark."""

    town: InMemoryServer
    groups: dict[str, int]
    world: Model = field(default_factory=Model)
    marks: dict[str, tuple[str, Any]] = field(default_factory=dict)
    """mark -> (kind of object, its ID or IDs)."""
    paths: dict[int, str] = field(default_factory=dict)
    """Uploaded file -> its path."""
    typed: set[tuple[str, int]] = field(default_factory=set)
    """(mark, author): authors know what they wrote into a name."""
    topics: dict[str, set[int]] = field(default_factory=dict)
    """Topic -> messages that were ever in it."""
    made: int = 0
    number: int = 0
    on_refusal: Callable[[Person, dict[str, Any], str], None] | None = None
    """Inspects errors returned instead of the requested data."""

    def __post_init__(self) -> None:
        self.world.groups = {name: set() for name in USER_GROUPS}
        for index, person in enumerate(self.town.people):
            role = ROLES[index] if index < len(ROLES) else MEMBER
            owner = None if index < len(ROLES) else self.town.people[3].id
            kind = 0 if owner is None else BOTS[index - len(ROLES)]["bot_type"]
            self.world.users[person.id] = User(person.id, role, owner, only_writes=kind == 2)
            self.marks[f"zqu{index}z"] = ("user", person.id)
            self.marks[f"zqe{index}z"] = ("address", person.id)

    # Choices

    def mark(self, kind: str, what: str, number: Any) -> str:
        """Return a new mark for an object."""
        self.made += 1
        mark = f"zq{kind}{self.made}z"
        self.marks[mark] = (what, number)
        return mark

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options, by the step's number."""
        self.number, chosen = divmod(self.number, len(options))
        return options[chosen]

    def user(self, person: Person) -> User:
        return self.world.users[person.id]

    async def ask(
        self, person: Person, allowed: bool, verb: str, path: str, **parameters: Any
    ) -> dict[str, Any] | None:
        """Make one request that the oracle allows or not; returns the answer if it is allowed."""
        answer = await person.ask(verb, path, parameters)
        if (answer["status"] == 200) != allowed:
            user = self.user(person)
            raise Disagreement(
                f"{verb} {path} {parameters} by {user}: the oracle says {allowed}, "
                f"the server {answer}\n{self.world.channels}\n{self.world.messages}"
            )
        if not allowed and self.on_refusal is not None:
            self.on_refusal(person, answer, f"{verb} {path} {parameters}")
        return answer if allowed else None

    def message(self) -> Message:
        return self.pick(list(self.world.messages.values()))

    def channel(self) -> Channel:
        return self.pick(list(self.world.channels.values()))

    def someone(self) -> User:
        return self.pick(list(self.world.users.values()))

    def name_of(self, channel: Channel) -> str:
        """Return the channel's current name on the server."""
        row = self.town.app.database.reader
        name: str = row.value("SELECT name FROM channel WHERE id = ?", channel.id)
        return name

    def topic(self, person: Person) -> str:
        """Return an existing topic, or a new one, which its author knows."""
        known = sorted(self.topics)
        name = self.pick([None, *known[-3:]])
        if name is None:
            name = self.mark("t", "topic", None)
            self.topics[name] = set()
        return name
