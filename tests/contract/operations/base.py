"""An operation: one request of a user, with its details derived from one number."""

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
    """Choices derived from one number: 0 chooses the first option everywhere."""

    def __init__(self, town: InMemoryServer, number: int) -> None:
        self.town = town
        self._number = number

    def below(self, count: int) -> int:
        """A number below `count`."""
        self._number, chosen = divmod(self._number, max(1, count))
        return chosen

    def of(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self.below(len(options))]

    def some(self, options: Sequence[T], most: int = 3) -> list[T]:
        """Return a few of the options, perhaps none, perhaps one twice."""
        return [self.of(options) for _ in range(self.below(most + 1))] if options else []

    def yes(self) -> bool:
        """Return true or false."""
        return self.below(2) == 0

    def maybe(self, value: T) -> T | None:
        """Return the value, or None."""
        return value if self.yes() else None

    def words(self) -> str:
        """Return some text."""
        return self.of(WORDS)

    def topic(self) -> str:
        """Return a topic's name."""
        return self.of(TOPICS)

    def name(self) -> str:
        """Return a name for a channel, a group or a user."""
        return f"{self.of(NAMES)}{self.of(('', '2', '3'))}"

    def channel(self) -> int:
        """Return a channel, perhaps one invisible to the user."""
        return self._id("SELECT id FROM channel ORDER BY id DESC LIMIT 8")

    def message(self) -> int:
        """Return one of the latest messages."""
        return self._id("SELECT id FROM message ORDER BY id DESC LIMIT 10")

    def messages(self) -> list[int]:
        """Return some of the latest messages."""
        return [self.message() for _ in range(1 + self.below(4))]

    def user(self) -> int:
        """Return a user, perhaps a bot."""
        return self._id("SELECT id FROM user ORDER BY id DESC LIMIT 9")

    def users(self, most: int = 3) -> list[int]:
        """Return some users."""
        return [self.user() for _ in range(self.below(most + 1))]

    def group(self) -> int:
        """Return a user group; every other time a custom one."""
        if self.yes():
            return self._id("SELECT id FROM user_group WHERE NOT is_system")
        return self._id("SELECT id FROM user_group")

    def who_may(self) -> Any:
        """Return a permission's group setting."""
        if self.yes():
            return self.group()
        groups = [self.group() for _ in range(self.below(2))]
        return {"direct_members": self.users(2), "direct_subgroups": groups}

    def own(self, table: str, me: Person) -> int:
        """Return the ID of a row in a table of personal data, perhaps another user's."""
        return self._id(f"SELECT id FROM {table} ORDER BY user_id <> {me.id}, id DESC LIMIT 4")

    def row(self, table: str) -> int:
        """Return the ID of a row of a table."""
        return self._id(f"SELECT id FROM {table} ORDER BY id DESC LIMIT 5")

    def later(self) -> int:
        """Return a future time, in UNIX seconds."""
        return int(self.town.now) + self.of((60, 600, 86_400))

    def _id(self, sql: str) -> int:
        return self.town.one(sql, self.below(16)) or 999


Operation: TypeAlias = Callable[[Person, Details], Awaitable[object]]
OPERATIONS: Final[dict[str, Operation]] = {}
"""All operations, by name."""


def operation(function: F) -> F:
    """Add an operation under its function's name."""
    name: str = function.__name__
    assert name not in OPERATIONS, name
    OPERATIONS[name] = function
    return function


@dataclass(frozen=True, slots=True)
class Step:
    """A user's operation; `number` determines the details."""

    name: str
    who: int
    number: int

    async def run(self, town: InMemoryServer) -> Mapping[str, Any] | None:
        """Run the operation. A refusal is not a failure: users try everything."""
        town.now += 1  # so that times in seconds differ
        people = town.active()
        person = people[self.who % len(people)]
        answer = await OPERATIONS[self.name](person, Details(town, self.number))
        return answer if isinstance(answer, dict) else None
