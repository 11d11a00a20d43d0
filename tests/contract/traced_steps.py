"""Steps in a traced town: run on the server and, if the oracle allows it, in the model."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from tests.contract.in_memory_server import Person
from tests.contract.oracle import (
    ADMINISTRATOR,
    DEFAULTS,
    GUEST,
    GUESTS_MAY,
    MEMBER,
    MODERATOR,
    NOBODY,
    Channel,
    Group,
    Message,
    User,
)
from tests.contract.traced_server import KINDS, SYSTEM_GROUPS, Disagreement, Step, TracedServer

STEPS: Final[dict[str, Callable[[TracedServer, Person], Awaitable[None]]]] = {}
MODES: Final = ("change_one", "change_later", "change_all")
NEEDS_CHANNEL: Final[set[str]] = set()
NEEDS_MESSAGE: Final[set[str]] = set()


def does(
    needs: str = "",
) -> Callable[
    [Callable[[TracedServer, Person], Awaitable[None]]],
    Callable[[TracedServer, Person], Awaitable[None]],
]:
    """Register a step under its function's name."""

    def add(
        function: Callable[[TracedServer, Person], Awaitable[None]],
    ) -> Callable[[TracedServer, Person], Awaitable[None]]:
        name = getattr(function, "__name__", "")
        STEPS[name] = function
        if needs:
            (NEEDS_CHANNEL if needs == "channel" else NEEDS_MESSAGE).add(name)
        return function

    return add


async def take(at: TracedServer, step: Step) -> None:
    """Run one step; it does nothing without an object to change."""
    name, who, at.number = step
    at.town.now += 1
    person = at.town.people[who % len(at.town.people)]
    if at.user(person).only_writes and at.user(person).active and name not in ("say", "write"):
        await at.ask(person, False, "POST", "users/me/subscriptions", subscriptions=[])
        return
    if name in NEEDS_CHANNEL and not at.world.channels:
        return
    if name in NEEDS_MESSAGE and not at.world.messages:
        return
    if at.user(person).active:
        await STEPS[name](at, person)


# Channels


@does()
async def make_channel(at: TracedServer, me: Person) -> None:
    kind = at.pick(KINDS)
    others = [at.someone() for _ in range(at.pick((0, 1, 2)))]
    others = [one for one in others if one.active]
    user = at.user(me)
    allowed = not user.is_guest and at.world.opens_to_web(kind.get("is_web_public", False))
    name = at.mark("c", "channel", None)
    answer = await at.ask(
        me,
        allowed,
        "POST",
        "channels/create",
        name=name,
        description=f"about {name}",
        subscribers=[me.id, *(one.id for one in others)],
        send_new_subscription_messages=False,
        **kind,
    )
    if answer is None:
        del at.marks[name]
        return
    channel = Channel(
        answer["id"],
        private=kind.get("invite_only", False),
        protected=not kind.get("history_public_to_subscribers", True),
        web=kind.get("is_web_public", False),
    )
    channel.permissions["can_administer_channel_group"] = frozenset({me.id})  # its creator
    at.marks[name] = ("channel", channel.id)
    at.world.channels[channel.id] = channel
    for user_id in {me.id, *(one.id for one in others)}:
        at.world.enter(channel, user_id)


@does("channel")
async def join(at: TracedServer, me: Person) -> None:
    channel, user = at.channel(), at.user(me)
    subscriptions = [{"name": at.name_of(channel)}]
    allowed = at.world.joins(user, channel)
    if await at.ask(me, allowed, "POST", "users/me/subscriptions", subscriptions=subscriptions):
        at.world.enter(channel, me.id)


@does("channel")
async def bring_in(at: TracedServer, me: Person) -> None:
    channel, other = at.channel(), at.someone()
    if other.id == me.id:
        return
    answer = await at.ask(
        me,
        at.world.adds(at.user(me), channel) and other.active,
        "POST",
        "users/me/subscriptions",
        subscriptions=[{"name": at.name_of(channel)}],
        principals=[other.id],
        send_new_subscription_messages=False,
    )
    if answer:
        at.world.enter(channel, other.id)


@does("channel")
async def leave(at: TracedServer, me: Person) -> None:
    await _take_out(at, me, at.user(me))


@does("channel")
async def throw_out(at: TracedServer, me: Person) -> None:
    await _take_out(at, me, at.someone())


async def _take_out(at: TracedServer, me: Person, other: User) -> None:
    channel = at.channel()
    answer = await at.ask(
        me,
        at.world.removes(at.user(me), channel, other) and other.active,
        "DELETE",
        "users/me/subscriptions",
        subscriptions=[at.name_of(channel)],
        principals=[other.id],
    )
    if answer:
        at.world.leave(channel, other.id)


@does("channel")
async def rename(at: TracedServer, me: Person) -> None:
    channel = at.channel()
    name = at.mark("c", "channel", channel.id)
    allowed = at.world.administers(at.user(me), channel)
    if not await at.ask(
        me, allowed, "PATCH", f"streams/{channel.id}", new_name=name, description=f"now {name}"
    ):
        del at.marks[name]


@does("channel")
async def set_privacy(at: TracedServer, me: Person) -> None:
    channel, kind, user = at.channel(), at.pick(KINDS), at.user(me)
    private, web = kind.get("invite_only", False), kind.get("is_web_public", False)
    history = kind.get("history_public_to_subscribers", True)
    is_new = (private, web, history) != (channel.private, channel.web, not channel.protected)
    is_other_kind = (private, web) != (channel.private, channel.web)
    allowed = (
        at.world.administers(user, channel)
        and (not is_new or (at.world.reads(user, channel) and not user.is_guest))
        and (not is_other_kind or at.world.opens_to_web(web))
    )
    answer = await at.ask(
        me,
        allowed,
        "PATCH",
        f"streams/{channel.id}",
        is_private=private,
        is_web_public=web,
        history_public_to_subscribers=history,
    )
    if answer:
        channel.private, channel.web, channel.protected = private, web, not history


@does("channel")
async def grant(at: TracedServer, me: Person) -> None:
    channel, name, user = at.channel(), at.pick(list(DEFAULTS)), at.user(me)
    people = frozenset(at.someone().id for _ in range(at.pick((0, 1, 2))))
    groups: tuple[Group, ...] = (people, ADMINISTRATOR, MODERATOR, MEMBER, GUEST, *at.world.groups)
    group = at.pick(groups)
    reserved = name == "can_delete_any_message_group" and user.role > MODERATOR
    sensitive = name in ("can_add_subscribers_group", "can_subscribe_group")
    allowed = (
        at.world.administers(user, channel)
        and (not isinstance(group, frozenset) or all(at.world.users[i].active for i in group))
        and (group != GUEST or name in GUESTS_MAY)
        and not reserved
    )
    if group == channel.permissions[name]:
        return
    allowed = allowed and (not sensitive or at.world.reads(user, channel))
    if await at.ask(
        me, allowed, "PATCH", f"streams/{channel.id}", **{name: {"new": _value(at, group)}}
    ):
        channel.permissions[name] = group


def _value(at: TracedServer, group: Group) -> Any:
    if isinstance(group, str):
        return at.groups[group]
    if isinstance(group, int):
        return at.groups[SYSTEM_GROUPS[group]]
    if group == NOBODY:
        return at.groups["role:nobody"]
    return {"direct_members": sorted(group), "direct_subgroups": []}


@does("channel")
async def archive(at: TracedServer, me: Person) -> None:
    channel = at.channel()
    allowed = at.world.administers(at.user(me), channel)
    path = f"streams/{channel.id}"
    if channel.archived:
        answer = await at.ask(me, allowed, "PATCH", path, is_archived=False)
    else:
        answer = await at.ask(me, allowed, "DELETE", path)
    if answer:
        channel.archived = not channel.archived


@does("channel")
async def follow(at: TracedServer, me: Person) -> None:
    """Follow a topic; users keep knowing which topics they follow."""
    channel, topic = at.channel(), at.topic(me)
    asked = {"stream_id": channel.id, "topic": topic, "visibility_policy": 3}
    await me.ask("POST", "user_topics", asked)
    at.typed.add((topic, me.id))


# Messages


@does("channel")
async def say(at: TracedServer, me: Person) -> None:
    await _say(at, me, frozenset())


@does("channel")
async def say_more(at: TracedServer, me: Person) -> None:
    """Repeat `say`, since users do it most."""
    await _say(at, me, frozenset())


@does("channel")
async def share_a_file(at: TracedServer, me: Person) -> None:
    files = sorted(at.world.files)
    if not files or at.pick((True, False)):
        name = at.mark("f", "file", None)
        answer = await me.upload("user_uploads", f"{name}.png", f"content of {name}".encode())
        if answer["status"] != 200:
            raise Disagreement(answer)
        at.paths[at.made] = answer["url"]
        at.marks[name] = ("file", at.made)
        at.world.files[at.made] = me.id
        files.append(at.made)
    file = at.pick(files[-3:])
    if at.world.opens(at.user(me), file):
        await _say(at, me, frozenset({file}))


async def _say(at: TracedServer, me: Person, files: frozenset[int]) -> None:
    channel, topic = at.channel(), at.topic(me)
    at.typed.add((topic, me.id))
    content = at.mark("m", "message", None)
    answer = await at.ask(
        me,
        at.world.posts(at.user(me), channel),
        "POST",
        "messages",
        type="stream",
        to=channel.id,
        topic=topic,
        content=" ".join((content, *(f"[file]({at.paths[file]})" for file in files))),
    )
    if answer is None:
        del at.marks[content]
        return
    message = Message(
        answer["id"], me.id, channel=channel.id, topic=topic, files=files, named=files
    )
    _add(at, content, message)
    at.topics[topic].add(answer["id"])


def _add(at: TracedServer, content: str, message: Message) -> None:
    at.marks[content] = ("message", message.id)
    at.world.messages[message.id] = message
    at.world.messages_ever.add(message.id)


@does()
async def write(at: TracedServer, me: Person) -> None:
    """Send a direct message."""
    others = {at.someone().id for _ in range(at.pick((1, 2)))}
    user = at.user(me)
    allowed = all(
        at.world.users[one].active and at.world.knows(user, at.world.users[one]) for one in others
    )
    content = at.mark("m", "message", None)
    answer = await at.ask(
        me, allowed, "POST", "messages", type="direct", to=sorted(others), content=content
    )
    if answer is None:
        del at.marks[content]
        return
    people = frozenset({me.id, *others})
    at.world.met.add(people)
    _add(at, content, Message(answer["id"], me.id, people=people))


@does("message")
async def edit(at: TracedServer, me: Person) -> None:
    message = at.message()
    content = at.mark("m", "message", message.id)
    allowed = at.world.edits(at.user(me), message)
    if await at.ask(me, allowed, "PATCH", f"messages/{message.id}", content=content):
        message.files = frozenset()  # still in its history
    else:
        del at.marks[content]


@does("message")
async def retopic(at: TracedServer, me: Person) -> None:
    message, topic = at.message(), at.topic(me)
    if message.id in at.topics[topic]:
        return
    at.typed.add((topic, me.id))
    mode = at.pick(MODES)
    answer = await at.ask(
        me,
        at.world.retopics(at.user(me), message),
        "PATCH",
        f"messages/{message.id}",
        topic=topic,
        propagate_mode=mode,
        send_notification_to_new_thread=False,
    )
    if answer:
        for one in at.world.together(at.user(me), message, mode):
            one.topic = topic
            at.topics[topic].add(one.id)


@does("message")
async def move(at: TracedServer, me: Person) -> None:
    message = at.message()
    if not at.world.channels:
        return
    target, mode = at.channel(), at.pick(MODES)
    if message.channel == target.id:
        return
    going = at.world.together(at.user(me), message, mode)
    answer = await at.ask(
        me,
        at.world.moves(at.user(me), message, target),
        "PATCH",
        f"messages/{message.id}",
        stream_id=target.id,
        propagate_mode=mode,
        send_notification_to_new_thread=False,
    )
    if answer:
        for one in going:
            one.channel = target.id


@does("message")
async def delete(at: TracedServer, me: Person) -> None:
    message = at.message()
    allowed = at.world.deletes(at.user(me), message)
    if await at.ask(me, allowed, "DELETE", f"messages/{message.id}"):
        del at.world.messages[message.id]


@does("message")
async def react(at: TracedServer, me: Person) -> None:
    message = at.message()
    path = f"messages/{message.id}/reactions"
    await me.delete(path, emoji_name="wave")
    allowed = at.world.reads_message(at.user(me), message)
    await at.ask(me, allowed, "POST", path, emoji_name="wave")


@does("message")
async def star(at: TracedServer, me: Person) -> None:
    message = at.message()
    allowed = at.world.reads_message(at.user(me), message)
    asked = {"messages": [message.id], "op": "add", "flag": at.pick(("starred", "collapsed"))}
    await at.ask(me, allowed, "POST", "messages/flags", **asked)


@does("message")
async def mark_unread(at: TracedServer, me: Person) -> None:
    asked = {"messages": sorted(at.world.messages), "op": "remove", "flag": "read"}
    await at.ask(me, True, "POST", "messages/flags", **asked)


@does("message")
async def remember(at: TracedServer, me: Person) -> None:
    message = at.message()
    await at.ask(
        me,
        at.world.reads_message(at.user(me), message),
        "POST",
        "reminders",
        message_id=message.id,
        scheduled_delivery_timestamp=int(at.town.now) + 10**6,
        note=at.mark("p", "typed", me.id),
    )


# Personal data


@does("channel")
async def keep(at: TracedServer, me: Person) -> None:
    """Create a draft, a snippet or a scheduled message, which are private."""
    user, channel = at.user(me), at.channel()
    text = at.mark("p", "typed", me.id)
    kind = at.pick(("draft", "snippet", "later"))
    if kind == "draft":
        draft = {"type": "stream", "to": [channel.id], "topic": text, "content": text}
        await me.post("drafts", drafts=[draft])
    elif kind == "snippet":
        await me.post("saved_snippets", title=text, content=text)
    else:
        await at.ask(
            me,
            at.world.posts(user, channel),
            "POST",
            "scheduled_messages",
            type="channel",
            to=channel.id,
            topic=text,
            content=text,
            scheduled_delivery_timestamp=int(at.town.now) + 10**6,
        )


@does("channel")
async def be_typing(at: TracedServer, me: Person) -> None:
    channel = at.channel()
    topic = at.mark("t", "typing", channel.id)
    at.typed.add((topic, me.id))
    await me.post("typing", op="start", type="stream", stream_id=channel.id, topic=topic)
    others = sorted({at.someone().id, at.someone().id})
    await me.post("typing", op="start", type="direct", to=others)
