"""What an operation is: one request that somebody makes, with its details taken from one number."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

from tests.contract.in_memory_server import InMemoryServer, Person

T = TypeVar("T")
F = TypeVar("F", bound="Operation")

WORDS: Final = (
    "hello",
    "tea and *biscuits*",
    "",
    "@**Mary**",
    "@**all** look",
    "@*helpers* help",
    "@**topic** here",
    "#**Welcome** and T-12",
    "```py\nprint(1)\n```",
    "/me waves",
    "/poll Lunch?\nsoup\nsalad",
    "see [file](https://example.com/a.png)",
    "an alarm rings",
    ":wave: ✔ \u202e ‮",
    "word " * 40,
)
TOPICS: Final = ("tea", "", "Tea", "✔ tea", "cake", "T-12", "general chat", "(no topic)", "käse")
NAMES: Final = ("helpers", "Kitchen", "kitchen", "Müller", "x", "A name with   spaces", "Welcome")


class Details:
    """Choices, all taken from one number: 0 chooses what comes first everywhere."""

    def __init__(self, town: InMemoryServer, number: int) -> None:
        self.town = town
        self._number = number

    def below(self, count: int) -> int:
        """A number below `count`."""
        self._number, chosen = divmod(self._number, max(1, count))
        return chosen

    def of(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.below(len(options))]

    def some(self, options: Sequence[T], most: int = 3) -> list[T]:
        """A few of the options, perhaps none, perhaps one twice."""
        return [self.of(options) for _ in range(self.below(most + 1))] if options else []

    def yes(self) -> bool:
        """True or False."""
        return self.below(2) == 0

    def maybe(self, value: T) -> T | None:
        """The value, or nothing."""
        return value if self.yes() else None

    def words(self) -> str:
        """Something to say."""
        return self.of(WORDS)

    def topic(self) -> str:
        """The name of a topic."""
        return self.of(TOPICS)

    def name(self) -> str:
        """A name for a channel, a group or a person."""
        return f"{self.of(NAMES)}{self.of(('', '2', '3'))}"

    def channel(self) -> int:
        """A channel, perhaps one that nobody knows."""
        return self._id("SELECT id FROM channel ORDER BY id DESC LIMIT 8")

    def message(self) -> int:
        """One of the last messages."""
        return self._id("SELECT id FROM message ORDER BY id DESC LIMIT 10")

    def messages(self) -> list[int]:
        """Some of the last messages."""
        return [self.message() for _ in range(1 + self.below(4))]

    def user(self) -> int:
        """Somebody, perhaps a bot."""
        return self._id("SELECT id FROM user ORDER BY id DESC LIMIT 9")

    def users(self, most: int = 3) -> list[int]:
        """Some people."""
        return [self.user() for _ in range(self.below(most + 1))]

    def group(self) -> int:
        """A user group; every other time one that people made."""
        if self.yes():
            return self._id("SELECT id FROM user_group WHERE NOT is_system")
        return self._id("SELECT id FROM user_group")

    def who_may(self) -> Any:
        """A value of a permission."""
        if self.yes():
            return self.group()
        groups = [self.group() for _ in range(self.below(2))]
        return {"direct_members": self.users(2), "direct_subgroups": groups}

    def own(self, table: str, me: Person) -> int:
        """The id of something that the person keeps in a table, perhaps of somebody else's."""
        return self._id(f"SELECT id FROM {table} ORDER BY user_id <> {me.id}, id DESC LIMIT 4")

    def row(self, table: str) -> int:
        """The id of a row of a table."""
        return self._id(f"SELECT id FROM {table} ORDER BY id DESC LIMIT 5")

    def later(self) -> int:
        """A time that is still to come, in UNIX seconds."""
        return int(self.town.now) + self.of((60, 600, 86_400))

    def _id(self, sql: str) -> int:
        return self.town.one(sql, self.below(16)) or 999


Operation: TypeAlias = Callable[[Person, Details], Awaitable[object]]
OPERATIONS: Final[dict[str, Operation]] = {}
"""Everything that people do, by name."""


def operation(function: F) -> F:
    """Add an operation under its function's name."""
    name: str = function.__name__
    assert name not in OPERATIONS, name
    OPERATIONS[name] = function
    return function


@dataclass(frozen=True, slots=True)
class Step:
    """Who does what; `number` holds the details."""

    name: str
    who: int
    number: int

    async def run(self, town: InMemoryServer) -> Mapping[str, Any] | None:
        """Do it. What the server refuses is no mistake: people try a lot."""
        town.now += 1  # what is told by seconds can be told apart
        people = town.active()
        person = people[self.who % len(people)]
        answer = await OPERATIONS[self.name](person, Details(town, self.number))
        return answer if isinstance(answer, dict) else None
