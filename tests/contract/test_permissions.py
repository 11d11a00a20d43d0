"""What a person may not see reaches them by no path: answers, events, errors, ids, counts, names.

The oracle says what each person may see; every answer and event is searched for marks of the rest.
"""

import asyncio
import re
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contract import traced_people  # noqa: F401  # adds its steps
from tests.contract.in_memory_server import Person
from tests.contract.oracle import GUEST, Channel, Message, User
from tests.contract.traced_server import (
    FIRST_IDS,
    Disagreement,
    Step,
    Template,
    TracedServer,
    found_marked_town,
)
from tests.contract.traced_steps import STEPS, take

steps = st.tuples(st.sampled_from([*STEPS]), st.integers(0, len(STEPS)), st.integers(0, 2**64 - 1))
MARK: Final = re.compile(rb"zq[a-z]\d+z")
MARK_TEXT: Final = re.compile(MARK.pattern.decode())
NUMBER: Final = re.compile(rb"(?<![\d.])5([1-7])0000(\d\d)(?!\d)")
KINDS: Final = {str(number)[1]: table for table, number in FIRST_IDS.items()}
ABSENT: Final = 900
"""Added to the first id of a kind: nothing ever has this id."""

CAPABILITIES: Final = {
    "notification_settings_null": True,
    "bulk_message_deletion": True,
    "user_avatar_url_field_optional": True,
    "stream_typing_notifications": True,
    "user_settings_object": True,
    "linkifier_url_template": True,
    "include_deactivated_groups": True,
    "archived_channels": True,
    "empty_topic_name": True,
    "simplified_presence_events": True,
}
OPEN_NUMBERS: Final = frozenset(
    {
        "first_message_id",  # of a channel: its age, shown with its settings
        "anchor",  # what was asked
        "drafts",  # these and the next: one's own, kept from when one knew the channel
        "draft",
        "scheduled_messages",
        "scheduled_message",
        "user_topics",
        "muted_topics",
        "reminders",
        "starred_messages",  # one marked them oneself
        "prev_stream",  # these and the next: a message came from elsewhere; the name is not told
        "edit_history",
        "message_history",
    }
)
"""Fields that hold ids, but nothing more, of what the person may not see; and why."""
KEPT_TOPICS: Final = frozenset({"user_topics", "muted_topics"})
"""Topics one followed while one could read there; every change of their names is an event."""


@dataclass(frozen=True)
class Sight:
    """What one person may be told of."""

    marks: frozenset[str]
    ids: frozenset[tuple[str, int]]

    def __or__(self, other: "Sight") -> "Sight":
        return Sight(self.marks | other.marks, self.ids | other.ids)


def sight(at: TracedServer, user: User) -> Sight:
    """What the oracle lets a person know now."""
    world = at.world
    if not user.active:
        return Sight(frozenset(), frozenset())
    channels = {one.id for one in world.channels.values() if world.sees(user, one)}
    read = {one.id for one in world.channels.values() if world.reads(user, one)}
    messages = {one.id for one in world.messages.values() if world.reads_message(user, one)}
    people = {one.id for one in world.users.values() if world.knows(user, one)}
    files = {file for file in world.files if world.opens(user, file)}
    files |= {file for one in messages for file in world.messages[one].named}
    known = {
        "channel": channels,
        "message": messages,
        "user": people,
        "file": files,
        "typed": {user.id},
        "typing": read,
        "address": {one for one in people if world.sees_address(user, world.users[one])},
    }
    marks = {mark for mark, (what, number) in at.marks.items() if number in known.get(what, ())}
    marks |= {topic for topic, ids in at.topics.items() if ids & messages}
    marks |= {mark for mark, typer in at.typed if typer == user.id}
    own_ids = {("channel", one) for one in channels} | {("message", one) for one in messages}
    return Sight(frozenset(marks), frozenset(own_ids))


@dataclass
class Watch:
    """One person, their queue, and what they were told."""

    at: TracedServer
    person: Person
    queue_id: str = ""
    last_event_id: int = -1
    before: Sight = field(default_factory=lambda: Sight(frozenset(), frozenset()))
    asked: dict[str, Any] = field(default_factory=dict)
    """How they register, also again after their account was closed and reopened."""

    @property
    def user(self) -> User:
        return self.at.user(self.person)

    async def start(self, **parameters: Any) -> None:
        """Register, looking at what that says."""
        self.asked = parameters
        answer = await self.look("POST", "register", **parameters)
        self.queue_id, self.last_event_id = answer["queue_id"], answer["last_event_id"]
        self.before = sight(self.at, self.user)

    async def listen(self) -> None:
        """What is told of a step may name what was known before it, or is known after it."""
        now = sight(self.at, self.user)
        if not self.user.active:
            self.queue_id = ""
        elif not self.queue_id:
            await self.start(**self.asked)
        else:
            answer = await self.person.get(
                "events", queue_id=self.queue_id, last_event_id=self.last_event_id, dont_block=True
            )
            # A guest who sees very different users now.
            if answer.get("code") == "BAD_EVENT_QUEUE_ID":
                await self.start(**self.asked)
                return
            assert answer["status"] == 200, answer
            for event in answer["events"]:
                self.last_event_id = event["id"]
                self.compare(event, self.before | now, f"event {event}")
        self.before = now

    async def look(self, verb: str, path: str, **parameters: Any) -> dict[str, Any]:
        """One request whose answer holds nothing that the person may not see."""
        answer = await self.person.ask(verb, path, parameters)
        self.compare(answer, sight(self.at, self.user), f"{verb} {path} {parameters}")
        return answer

    def compare(self, answer: dict[str, Any], seen: Sight, where: str) -> None:
        """Fail on a mark or an id of something out of sight."""
        text = orjson.dumps(_without(answer, KEPT_TOPICS))
        for mark in {match.decode() for match in MARK.findall(text)}:
            of = self.at.marks.get(mark) or self.at.topics.get(mark)
            is_typed = any(mark == typed for typed, _ in self.at.typed)
            # A mark of nothing is by chance in a signature or a key: it happens in some thousand runs.
            if mark not in seen.marks and (of is not None or is_typed):
                self.fail(f"{mark} of {of}", where, text, mark)
        asked = where if answer.get("status", 200) >= 400 else ""  # errors say what was asked
        text = orjson.dumps(_without(answer, OPEN_NUMBERS))
        for number in {int(match.group()) for match in NUMBER.finditer(text)}:
            kind = KINDS[str(number)[1]]
            if (
                kind in ("channel", "message")
                and (kind, number) not in seen.ids
                and str(number) not in asked
            ):
                self.fail(f"{kind} {number}", where, text, str(number))

    def fail(self, what: str, where: str, text: bytes, mark: str) -> None:
        at = text.index(mark.encode())
        near = text[max(0, at - 300) : at + 100].decode(errors="replace")
        raise Disagreement(
            f"{self.user} is told of {what}\nby {where[:300]}\n... {near}\n{self.at.world}"
        )

    # Everything that can be asked

    async def look_around(self) -> None:
        """All that a person can ask, and that there is what they may see."""
        if not self.user.active:
            refused = await self.person.get("users/me")
            assert refused["status"] == 401, refused
            return
        for capabilities in (CAPABILITIES, None):
            answer = await self.look(
                "POST",
                "register",
                client_capabilities=capabilities,
                apply_markdown=capabilities is None,
                include_subscribers=True,
                fetch_event_types=None,
            )
            assert answer["status"] == 200, answer
            await self.person.delete("events", queue_id=answer["queue_id"])
        for path, asked in PLAIN:
            answer = await self.look("GET", path, **asked)
            assert answer["status"] in (200, 400, 403), answer
        for things, id_name, table in OWN_THINGS:
            await self._things(things, id_name, FIRST_IDS[table])
        await self._messages()
        for channel in self.at.world.channels.values():
            await self._channel(channel)
        for message in self.at.world.messages.values():
            await self._message(message)
        for other in self.at.world.users.values():
            await self._person(other)
        for file, path in self.at.paths.items():
            allowed = self.at.world.opens(self.user, file)
            await self._alike(allowed, "GET", path.lstrip("/"), path.lstrip("/")[:-5] + "x.png")

    async def _things(self, things: str, id_name: str, first: int) -> None:
        """What others keep can be neither seen nor thrown away."""
        mine = {one[id_name] for one in (await self.look("GET", things))[things]}
        for number in range(first + 1, first + 6):
            if number not in mine:
                absent = f"{things}/{first + ABSENT}"
                await self._alike(False, "DELETE", f"{things}/{number}", absent)

    async def _messages(self) -> None:
        world, user = self.at.world, self.user
        mine = {one.id for one in world.messages.values() if world.reads_message(user, one)}
        everything = sorted(world.messages)
        for narrow in NARROWS:
            await self._narrowed(narrow, mine)
        listed = await self.look("GET", "messages", message_ids=everything)
        self._same({one["id"] for one in listed["messages"]}, mine, "message_ids")
        matching = await self.look(
            "GET", "messages/matches_narrow", msg_ids=everything, narrow=[["search", "zqm"]]
        )
        assert {int(one) for one in matching["messages"]} <= mine
        for channel in world.channels.values():
            there = {one for one in mine if world.messages[one].channel == channel.id}
            ids = await self._narrowed([["channel", channel.id]], mine)
            if world.reads(user, channel):
                self._same(ids, there, f"messages of {channel}")
            else:
                assert not ids
        for mark, (what, number) in list(self.at.marks.items()):
            if what == "message" and number not in mine:
                narrow = [["search", mark]]
                if world.messages.get(number) is None or number not in mine:
                    assert not await self._narrowed(narrow, mine), mark
                    assert await self._outline(narrow) == await self._outline([["search", "zqm0"]])

    async def _outline(self, narrow: list[list[Any]]) -> dict[str, Any]:
        """All of an answer but the messages: it must not differ for hidden ones."""
        answer = await self.look(
            "GET", "messages", anchor="newest", num_before=5, num_after=0, narrow=narrow
        )
        return answer

    async def _narrowed(self, narrow: list[list[Any]], mine: set[int]) -> set[int]:
        answer = await self.look(
            "GET", "messages", anchor="newest", num_before=500, num_after=5, narrow=narrow
        )
        ids = {one["id"] for one in answer.get("messages", ()) if one["id"] > FIRST_IDS["message"]}
        assert ids <= mine, (narrow, ids - mine)
        return ids

    def _same(self, ids: set[int], expected: set[int], what: str) -> None:
        if ids != expected:
            raise Disagreement(
                f"{self.user}: {what} are {ids}, the oracle says {expected}\n"
                f"{self.at.world.channels}\n{self.at.world.messages}"
            )

    async def _alike(
        self, allowed: bool, verb: str, path: str, absent: str, **parameters: Any
    ) -> dict[str, Any]:
        """What is forbidden is answered as what does not exist, to the byte but for the id."""
        answer = await self.person.ask(verb, path, parameters)
        if allowed:
            if answer["status"] != 200:
                raise Disagreement(f"{self.user} {verb} {path}: {answer}\n{self.at.world.channels}")
            self.compare(answer, sight(self.at, self.user), f"{verb} {path}: {answer}")
            return answer
        missing = await self.person.ask(verb, absent, parameters)
        if _anonymous(answer) != _anonymous(missing) or answer["status"] < 400:
            raise Disagreement(f"{self.user} {verb} {path}: {answer}, but absent: {missing}")
        return answer

    async def _channel(self, channel: Channel) -> None:
        world, user, absent = self.at.world, self.user, FIRST_IDS["channel"] + ABSENT
        sees, reads = world.sees(user, channel), world.reads(user, channel)
        path, other = f"streams/{channel.id}", f"streams/{absent}"
        await self._alike(sees, "GET", path, other)
        members = await self._alike(sees, "GET", f"{path}/members", f"{other}/members")
        if sees:
            active = {one for one in channel.inside if world.users[one].active}
            self._same(set(members["subscribers"]), active, f"members of {channel.id}")
        where = "users/me/{}/topics"
        topics = await self._alike(reads, "GET", where.format(channel.id), where.format(absent))
        if reads:
            mine = [one for one in world.messages.values() if world.reads_message(user, one)]
            newest = max((one.id for one in mine if one.channel == channel.id), default=None)
            told = max((one["max_id"] for one in topics["topics"]), default=None)
            assert told == newest, (self.user, channel, topics, newest)
        where = f"users/{user.id}/subscriptions/{{}}"
        await self._alike(sees, "GET", where.format(channel.id), where.format(absent))
        if not sees:
            for verb, end, asked in CHANNEL_CHANGES:
                await self._alike(False, verb, path + end, other + end, **asked)
            for verb, where, given in PLACE_CHANGES:
                await self._alike_filled(verb, where, given, channel.id, absent)
            name = self.at.name_of(channel)
            answer = await self.person.get("get_stream_id", stream=name)
            missing = await self.person.get("get_stream_id", stream="zqc0z")
            assert _anonymous(answer) == _anonymous(missing), (answer, missing)

    async def _alike_filled(
        self, verb: str, where: str, asked: str, given: int, absent: int
    ) -> None:
        """The same for ids in parameters."""
        answers = [
            await self.person.ask(
                verb, where.replace("ID", str(one)), orjson.loads(asked.replace('"ID"', str(one)))
            )
            for one in (given, absent)
        ]
        if answers[0]["status"] == 200 or _anonymous(answers[0]) != _anonymous(answers[1]):
            raise Disagreement(f"{self.user} {verb} {where} {asked} {given}: {answers}")

    async def _message(self, message: Message) -> None:
        absent = FIRST_IDS["message"] + ABSENT
        reads = self.at.world.reads_message(self.user, message)
        for end in ("", "/history", "/read_receipts"):
            path, other = f"messages/{message.id}{end}", f"messages/{absent}{end}"
            await self._alike(reads, "GET", path, other)
        if not reads:
            for verb, end, asked in MESSAGE_CHANGES:
                path, other = f"messages/{message.id}{end}", f"messages/{absent}{end}"
                await self._alike(False, verb, path, other, **asked)
            for flag in ("read", "starred"):
                await self._alike_given("messages/flags", message.id, absent, flag)
            narrow = [["with", message.id]], [["id", message.id]], [["near", message.id]]
            for one in narrow:
                await self.look(
                    "GET", "messages", anchor=message.id, num_before=2, num_after=2, narrow=one
                )

    async def _alike_given(self, path: str, given: int, absent: int, flag: str) -> None:
        answers = [
            await self.person.post(path, messages=[one], op="add", flag=flag)
            for one in (given, absent)
        ]
        assert _anonymous(answers[0]) == _anonymous(answers[1]), answers

    async def _person(self, other: User) -> None:
        absent = FIRST_IDS["user"] + ABSENT
        knows = self.at.world.knows(self.user, other)
        for end in ("", "/status", "/channels"):
            path, missing = f"users/{other.id}{end}", f"users/{absent}{end}"
            await self._alike(knows, "GET", path, missing)
        if not knows:
            for verb, where, asked in STRANGER_CHANGES:
                await self._alike_filled(verb, where, asked, other.id, absent)


class Stranger(Watch):
    """Who has not signed in: a guest who is in no channel, and sees no address but those of bots."""

    @property
    def user(self) -> User:
        return User(id=0, role=GUEST)

    async def look_around(self) -> None:
        open_paths = (*PLAIN[:4], ("users", {}))
        expected = 200 if self.at.world.open_to_web else 401
        for capabilities in (CAPABILITIES, None):
            answer = await self.look("POST", "register", client_capabilities=capabilities)
            assert answer["status"] == expected, answer
        for path, asked in PLAIN:
            answer = await self.look("GET", path, **asked)
            assert answer["status"] == (expected if (path, asked) in open_paths else 401), answer
        if self.at.world.open_to_web:
            await self._look_at_everything()
        else:
            await self._knock_everywhere()

    async def _knock_everywhere(self) -> None:
        """Where the organization is closed, nothing is told of anything."""
        world = self.at.world
        paths = [f"streams/{one}" for one in world.channels]
        paths += [f"users/me/{one}/topics" for one in world.channels]
        paths += [f"messages/{one}" for one in world.messages]
        paths += [f"users/{one}" for one in world.users]
        for path in paths:
            answer = await self.look("GET", path)
            assert answer["status"] == 401, (path, answer)

    async def _look_at_everything(self) -> None:
        await self._messages()
        world = self.at.world
        for channel in world.channels.values():
            for path in ("streams/{}", "users/me/{}/topics"):
                absent = path.format(FIRST_IDS["channel"] + ABSENT)
                await self._alike(channel.web, "GET", path.format(channel.id), absent)
        absent = f"messages/{FIRST_IDS['message'] + ABSENT}"
        for message in world.messages.values():
            reads = world.reads_message(self.user, message)
            await self._alike(reads, "GET", f"messages/{message.id}", absent)
        for other in world.users.values():
            absent = f"users/{FIRST_IDS['user'] + ABSENT}"
            await self._alike(world.knows(self.user, other), "GET", f"users/{other.id}", absent)

    async def _messages(self) -> None:
        web = ["channels", "web-public"]
        world = self.at.world
        mine = {one.id for one in world.messages.values() if world.reads_message(self.user, one)}
        self._same(await self._narrowed([web], mine), mine, "web-public messages")
        for more in (["search", "zqm"], ["has", "attachment"], ["is", "resolved"]):
            await self._narrowed([web, more], mine)
        everything = sorted(world.messages)
        for path, name in (("messages", "message_ids"), ("messages/matches_narrow", "msg_ids")):
            matching = await self.look("GET", path, narrow=[web], **{name: everything})
            ids = {int(one if isinstance(one, str) else one["id"]) for one in matching["messages"]}
            self._same(ids, mine, path)
        for narrow in NARROWS:
            if web not in narrow:
                answer = await self.look("GET", "messages", narrow=narrow, message_ids=everything)
                assert answer["status"] == 401, answer


class Sender(Watch):
    """A bot that only writes: it is told nothing of anybody."""

    async def listen(self) -> None:
        """It cannot register."""

    async def look_around(self) -> None:
        expected = 400 if self.user.active else 401
        for path, asked in PLAIN:
            answer = await self.look("GET", path, **asked)
            assert answer["status"] == expected, (path, answer)
        answer = await self.look("POST", "register")
        assert answer["status"] == expected, answer


def refused(at: TracedServer, person: Person, answer: dict[str, Any], asked: str) -> None:
    """Who is refused is told of nothing but what they named."""
    watch = Watch(at, person)
    named = Sight(frozenset(MARK_TEXT.findall(asked)), frozenset())
    watch.compare(answer, sight(at, watch.user) | named, asked)


def _without(answer: Any, names: frozenset[str]) -> Any:
    """The answer but for these fields."""
    if isinstance(answer, dict):
        if names == OPEN_NUMBERS:
            if answer.get("property") in OPEN_NUMBERS:
                answer = {**answer, "value": None}
            if answer.get("type") in ("user_topic", "muted_topics"):
                return {}
            if "new_stream_id" in answer:
                answer = {**answer, "stream_id": None}
        return {name: _without(one, names) for name, one in answer.items() if name not in names}
    return [_without(one, names) for one in answer] if isinstance(answer, list) else answer


def _anonymous(answer: dict[str, Any]) -> bytes:
    """The answer, with all ids and marks alike."""
    text = orjson.dumps(answer, option=orjson.OPT_SORT_KEYS)
    text = re.sub(rb"5[1-7]0000\d\d|5[1-7]000900", b"ID", text)
    return MARK.sub(b"MARK", text)


PLAIN: Final[tuple[tuple[str, dict[str, bool]], ...]] = (
    ("streams", {}),
    ("streams", {"include_all": True, "exclude_archived": False}),
    ("streams", {"include_web_public": True, "include_public": False, "include_subscribed": False}),
    ("streams", {"include_can_access_content": True}),
    ("users/me/subscriptions", {}),
    ("users/me/subscriptions", {"include_subscribers": True}),
    ("users", {}),
    ("users/me", {}),
    ("realm/presence", {}),
    ("user_groups", {}),
    ("attachments", {}),
    ("drafts", {}),
    ("saved_snippets", {}),
    ("scheduled_messages", {}),
    ("reminders", {}),
    ("navigation_views", {}),
    ("bots", {}),
    ("invites", {}),
)
OWN_THINGS: Final = (
    ("drafts", "id", "draft"),
    ("saved_snippets", "id", "saved_snippet"),
    ("scheduled_messages", "scheduled_message_id", "scheduled_message"),
    ("attachments", "id", "upload"),
)
NARROWS: Final[tuple[list[list[Any]], ...]] = (
    [],
    [["channels", "public"]],
    [["channels", "archived"]],
    [["channels", "web-public"]],
    [["is", "dm"]],
    [["is", "starred"]],
    [["is", "unread"]],
    [["is", "followed"]],
    [["has", "attachment"]],
    [["has", "reaction"]],
    [["search", "zqm"]],
    [["channels", "public"], ["search", "file"]],
)
CHANNEL_CHANGES: Final[tuple[tuple[str, str, dict[str, Any]], ...]] = (
    ("PATCH", "", {"description": "mine"}),
    ("DELETE", "", {}),
    ("POST", "/delete_topic", {"topic_name": "tea"}),
    ("GET", "/email_address", {}),
)
PLACE_CHANGES: Final = (
    ("POST", "messages", '{"type": "stream", "to": "ID", "topic": "x", "content": "x"}'),
    ("POST", "typing", '{"op": "start", "type": "stream", "stream_id": "ID", "topic": "x"}'),
    ("POST", "mark_stream_as_read", '{"stream_id": "ID"}'),
    ("POST", "mark_topic_as_read", '{"stream_id": "ID", "topic_name": "x"}'),
    ("POST", "user_topics", '{"stream_id": "ID", "topic": "x", "visibility_policy": 1}'),
    ("POST", "default_streams", '{"stream_id": "ID"}'),
)
"""Requests that name a channel in a parameter."""
STRANGER_CHANGES: Final = (
    ("POST", "messages", '{"type": "direct", "to": ["ID"], "content": "x"}'),
    ("POST", "typing", '{"op": "start", "to": ["ID"]}'),
    ("POST", "users/me/muted_users/ID", "{}"),
    ("GET", "users/ID/presence", "{}"),
    ("GET", "users/user_ID", "{}"),
    ("PATCH", "users/ID", '{"full_name": "x"}'),
    ("DELETE", "users/ID", "{}"),
    ("POST", "users/ID/reactivate", "{}"),
    ("POST", "users/ID/status", '{"status_text": "x"}'),
    ("GET", "messages", '{"anchor": "newest", "num_before": 9, "narrow": [["sender", "ID"]]}'),
    ("GET", "messages", '{"anchor": "newest", "num_before": 9, "narrow": [["dm", ["ID"]]]}'),
    (
        "POST",
        "users/me/subscriptions",
        '{"subscriptions": [{"name": "welcome"}], "principals": ["ID"]}',
    ),
    (
        "DELETE",
        "users/me/subscriptions",
        '{"subscriptions": ["welcome"], "principals": ["ID"]}',
    ),
)
"""Requests that name somebody."""
MESSAGE_CHANGES: Final[tuple[tuple[str, str, dict[str, Any]], ...]] = (
    ("PATCH", "", {"content": "mine"}),
    ("PATCH", "", {"topic": "mine"}),
    ("DELETE", "", {}),
    ("POST", "/reactions", {"emoji_name": "wave"}),
    ("DELETE", "/reactions", {"emoji_name": "wave"}),
    ("POST", "/report", {"report_type": "spam"}),
    ("POST", "/typing", {"op": "start"}),
)


OPENING: Final[tuple[Step, ...]] = (("make_channel", 3, 3), ("say", 3, 0), ("share_a_file", 4, 0))
"""A web-public channel and something in it, so that strangers have something to read."""


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Template:
    """Founded once."""
    return found_marked_town(tmp_path_factory.mktemp("town") / "template.db")


async def live_through(template: Template, taken: list[Step]) -> None:
    """Take the steps; after each look at what people are told, at the end at everything."""
    at = TracedServer(template.town(), template.groups)
    try:
        at.on_refusal = partial(refused, at)
        people = at.town.people
        watches = [Watch(at, person) for person in people if not at.user(person).only_writes]
        senders = [Sender(at, person) for person in people if at.user(person).only_writes]
        for number, watch in enumerate(watches):
            await watch.start(
                client_capabilities=CAPABILITIES if number % 2 else None,
                all_public_streams=number % 3 == 0,
            )
        for one in (*OPENING, *taken):
            await take(at, one)
            for watch in watches:
                await watch.listen()
        for watch in (*watches, *senders, Stranger(at, Person(0, "", "", "", at.town))):
            await watch.look_around()
    finally:
        at.town.close()


@settings(max_examples=3)
@given(taken=st.lists(steps, min_size=20, max_size=40))
def test_nobody_is_told_what_they_may_not_see(template: Template, taken: list[Step]) -> None:
    """What I may not read is in no answer, event or error that I get, and what I may is there."""
    asyncio.run(live_through(template, taken))


@pytest.mark.soak
@pytest.mark.timeout(0)
@given(taken=st.lists(steps, min_size=1, max_size=60))
def test_nobody_is_told_what_they_may_not_see_for_long(
    template: Template, taken: list[Step]
) -> None:
    """The same, in more towns."""
    asyncio.run(live_through(template, taken))
