"""A town in which everything bears a mark, with the oracle's model of it beside the server.

Every text that somebody enters contains `zq<kind><number>z`, every kind of row counts from a number
of its own: whatever an answer holds can be traced to what it tells of. Steps are taken on the server
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
"""After which number the rows of a table are counted."""

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
"""One that is used like a person, one that only writes, one that is called."""
USER_GROUPS: Final = ("helpers", "readers")

Step = tuple[str, int, int]
"""What is done, by whom, and a number from which the details are taken."""


class Disagreement(AssertionError):
    """The server and the oracle do not say the same."""


@dataclass(frozen=True, slots=True)
class Template:
    """A founded organization, to be copied."""

    file: Path
    people: list[tuple[str, str, int]]
    groups: dict[str, int]

    def town(self) -> InMemoryServer:
        """A fresh copy; the one before it is gone."""
        return copied(self.file, self.people, self.file.with_name("copy.db"))


def found_marked_town(file: Path) -> Template:
    """People of all roles, bots of all kinds, two groups with nobody in them, and no channel yet."""
    database = Database(file, clock=lambda: START)

    def populate(tx: Tx) -> list[tuple[str, str, int]]:
        _count_from(tx, "user", FIRST_IDS["user"])
        name, email = _who(0)
        owner = set_up_organization(
            tx, NewOrganization(name="Town", owner_email=email, owner_name=name, password=None)
        )
        for table, number in FIRST_IDS.items():
            if table != "user":  # what everybody is welcomed with bears no mark
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
    """The server, the model, and what each mark belongs to."""

    town: InMemoryServer
    groups: dict[str, int]
    world: Model = field(default_factory=Model)
    marks: dict[str, tuple[str, Any]] = field(default_factory=dict)
    """mark -> (what it is, the number or numbers of what it belongs to)."""
    paths: dict[int, str] = field(default_factory=dict)
    """Uploaded file -> its path."""
    typed: set[tuple[str, int]] = field(default_factory=set)
    """(mark, who wrote it): nobody is kept from knowing what they wrote into a name."""
    topics: dict[str, set[int]] = field(default_factory=dict)
    """Name of a topic -> messages that were ever in it."""
    made: int = 0
    number: int = 0
    on_refusal: Callable[[Person, dict[str, Any], str], None] | None = None
    """Looks at what somebody is told instead of what they asked for."""

    def __post_init__(self) -> None:
        self.world.groups = {name: set() for name in USER_GROUPS}
        for index, person in enumerate(self.town.people):
            role = ROLES[index] if index < len(ROLES) else MEMBER
            owner = None if index < len(ROLES) else self.town.people[3].id
            kind = 0 if owner is None else BOTS[index - len(ROLES)]["bot_type"]
            self.world.users[person.id] = User(person.id, role, owner, only_writes=kind == 2)
            self.marks[f"zqu{index}z"] = ("user", person.id)
            self.marks[f"zqe{index}z"] = ("address", person.id)

    # Choosing

    def mark(self, kind: str, what: str, number: Any) -> str:
        """A new mark for something."""
        self.made += 1
        mark = f"zq{kind}{self.made}z"
        self.marks[mark] = (what, number)
        return mark

    def pick(self, options: Sequence[T]) -> T:
        """One of the options, by the step's number."""
        self.number, chosen = divmod(self.number, len(options))
        return options[chosen]

    def user(self, person: Person) -> User:
        return self.world.users[person.id]

    async def ask(
        self, person: Person, allowed: bool, verb: str, path: str, **parameters: Any
    ) -> dict[str, Any] | None:
        """One request, of which the oracle says whether it is allowed; the answer if it is."""
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
        """The name under which the server has it now."""
        row = self.town.app.database.reader
        name: str = row.value("SELECT name FROM channel WHERE id = ?", channel.id)
        return name

    def topic(self, person: Person) -> str:
        """A topic that was there before, or a new one; whoever writes its name knows it."""
        known = sorted(self.topics)
        name = self.pick([None, *known[-3:]])
        if name is None:
            name = self.mark("t", "topic", None)
            self.topics[name] = set()
        return name
