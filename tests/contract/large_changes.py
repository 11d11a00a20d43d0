"""Every kind of change that is made in slices, as a request to a town that was prepared for it."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from server_lite.actions import channels as channel_actions
from server_lite.actions import flags as flag_actions
from server_lite.actions import message_deletion, message_moves
from server_lite.actions import profile_fields as field_actions
from server_lite.actions import uploads as upload_actions
from server_lite.actions import users as user_actions
from server_lite.api.routing import Endpoint
from server_lite.endpoints import (
    channel_settings,
    channels,
    flags,
    message_edits,
    muted_users,
    profile_fields,
    subscription_slices,
    subscriptions,
    uploads,
    users,
)
from tests.contract.cut_short import Preparation, Request
from tests.contract.in_memory_server import PIXEL, InMemoryServer

SMALL: Final[tuple[tuple[Any, str, int], ...]] = (
    (channel_actions, "SUBSCRIBERS", 1),
    (field_actions, "SLICE", 1),
    (flag_actions, "SLICE", 2),
    (flags, "AT_ONCE", 2),
    (message_deletion, "ATTACHED", 2),
    (message_deletion, "SLICE", 2),
    (message_edits, "AT_ONCE", 6),
    (message_edits, "SLICE", 2),
    (message_moves, "POLICIES", 1),
    (message_moves, "SLICE", 2),
    (subscription_slices, "CHANNELS", 2),
    (subscription_slices, "COST_OF_AUDIENCE", 0),
    (subscription_slices, "COST_OF_CHANNEL", 2),
    (subscription_slices, "COST_OF_TELLING", 2),
    (subscription_slices, "MOST", 4),
    (subscription_slices, "SLICE", 2),
    (upload_actions, "LINKS", 2),
    (user_actions, "BOTS", 1),
)
"""Modules, and names of their limits: with these every change takes several slices."""

OLGA, MARY, ADAM, GINA, MOE = range(5)
SOME: Final = (MARY, ADAM, GINA, MOE)
"""Without the owner, who makes most changes."""


CHANGES: Final[dict[Preparation, Endpoint]] = {}
"""All of them, with the endpoints that make them."""


def _of(endpoint: Endpoint) -> Callable[[Preparation], Preparation]:
    def listed(change: Preparation) -> Preparation:
        CHANGES[change] = endpoint
        return change

    return listed


def make_slices_small(patch: pytest.MonkeyPatch) -> None:
    """Have every change take several slices."""
    for module, name, limit in SMALL:
        assert isinstance(getattr(module, name), int)
        patch.setattr(module, name, limit)


def _ids(town: InMemoryServer, *numbers: int) -> list[int]:
    return [town.people[number].id for number in numbers]


def _channel(town: InMemoryServer, name: str = "kitchen") -> int:
    (channel_id,) = town.ids(f"SELECT id FROM channel WHERE name = '{name}'")
    return channel_id


async def _say(town: InMemoryServer, count: int, topic: str = "long") -> list[int]:
    """Messages of two users in turn."""
    return [
        (
            await town.people[number % 2].post(
                "messages", type="stream", to="kitchen", topic=topic, content=f"message {number}"
            )
        )["id"]
        for number in range(count)
    ]


@_of(channels.create)
async def make_channel(town: InMemoryServer) -> Request:
    form = {"name": "fresh", "subscribers": _ids(town, OLGA, *SOME), "announce": True}
    return Request(OLGA, "POST", "channels/create", form)


@_of(channels.create)
async def make_private_channel(town: InMemoryServer) -> Request:
    form = {"name": "fresh", "subscribers": _ids(town, *SOME), "invite_only": True}
    return Request(MARY, "POST", "channels/create", form)


@_of(subscriptions.subscribe)
async def subscribe(town: InMemoryServer) -> Request:
    names = ("fresh", "kitchen", "other", "third")
    form = {
        "subscriptions": [{"name": name, "color": "#123456"} for name in names],
        "principals": _ids(town, *SOME),
        "announce": True,
    }
    return Request(OLGA, "POST", "users/me/subscriptions", form)


@_of(subscriptions.subscribe)
async def subscribe_to_private(town: InMemoryServer) -> Request:
    """Channels that the user may not join, once others are in them."""
    form = {
        "subscriptions": [{"name": name} for name in ("fresh", "other", "third")],
        "principals": _ids(town, *SOME),
        "invite_only": True,
    }
    return Request(OLGA, "POST", "users/me/subscriptions", form)


@_of(subscriptions.unsubscribe)
async def unsubscribe(town: InMemoryServer) -> Request:
    """Also oneself, first, from channels that only subscribers see."""
    names = ["a", "b", "c"]
    await town.people[MARY].post(
        "users/me/subscriptions",
        subscriptions=[{"name": name} for name in names],
        principals=_ids(town, MARY, ADAM, MOE),
        invite_only=True,
    )
    form = {"subscriptions": names, "principals": _ids(town, MARY, ADAM, MOE)}
    return Request(MARY, "DELETE", "users/me/subscriptions", form)


@_of(subscriptions.unsubscribe)
async def leave_unread(town: InMemoryServer) -> Request:
    await _say(town, 7)
    return Request(
        MARY, "DELETE", "users/me/subscriptions", {"subscriptions": ["kitchen", "attic"]}
    )


@_of(message_edits.edit)
async def move_all(town: InMemoryServer) -> Request:
    ids = await _say(town, 7)
    for number in (MARY, ADAM, GINA):
        await town.people[number].post(
            "user_topics", stream_id=_channel(town), topic="long", visibility_policy=3
        )
    form = {
        "stream_id": _channel(town, "cellar"),
        "topic": "new",
        "propagate_mode": "change_all",
        "send_notification_to_old_thread": True,
        "send_notification_to_new_thread": True,
    }
    return Request(OLGA, "PATCH", f"messages/{ids[2]}", form)


@_of(message_edits.edit)
async def move_later(town: InMemoryServer) -> Request:
    ids = await _say(town, 8)
    form = {
        "topic": "new",
        "content": "and edited",
        "propagate_mode": "change_later",
        "send_notification_to_old_thread": True,
        "send_notification_to_new_thread": True,
    }
    return Request(OLGA, "PATCH", f"messages/{ids[2]}", form)


@_of(message_edits.edit)
async def respell(town: InMemoryServer) -> Request:
    ids = await _say(town, 8)
    form = {"topic": "LONG", "content": "and edited", "propagate_mode": "change_all"}
    return Request(OLGA, "PATCH", f"messages/{ids[4]}", form)


@_of(message_edits.delete_topic)
async def delete_topic(town: InMemoryServer) -> Request:
    await _say(town, 9)
    path = f"streams/{_channel(town)}/delete_topic"
    return Request(OLGA, "POST", path, {"topic_name": "long"})


@_of(message_edits.delete)
async def delete_message(town: InMemoryServer) -> Request:
    (message_id,) = await _say(town, 1)
    for number in (OLGA, MARY, ADAM, GINA):
        for name in ("tada", "heart"):
            await town.people[number].post(f"messages/{message_id}/reactions", emoji_name=name)
    return Request(OLGA, "DELETE", f"messages/{message_id}")


@_of(uploads.delete)
async def delete_file(town: InMemoryServer) -> Request:
    olga = town.people[OLGA]
    url = (await olga.upload("user_uploads", "a.png", PIXEL))["url"]
    for _ in range(5):
        await olga.post("messages", type="stream", to="kitchen", topic="t", content=f"[a]({url})")
    (upload_id,) = town.ids("SELECT id FROM upload")
    return Request(OLGA, "DELETE", f"attachments/{upload_id}")


async def _choose(town: InMemoryServer) -> int:
    """A field of which everybody has a value; returns its ID."""
    data = {str(number): {"text": str(number), "order": str(number)} for number in (1, 2)}
    field = await town.people[OLGA].post(
        "realm/profile_fields", field_type=3, name="Color", field_data=data
    )
    for number, person in enumerate(town.people):
        value = str(2 - bool(number))
        await person.patch("users/me/profile_data", data=[{"id": field["id"], "value": value}])
    return int(field["id"])


@_of(profile_fields.delete)
async def delete_field(town: InMemoryServer) -> Request:
    return Request(OLGA, "DELETE", f"realm/profile_fields/{await _choose(town)}")


@_of(profile_fields.update)
async def change_field(town: InMemoryServer) -> Request:
    path = f"realm/profile_fields/{await _choose(town)}"
    data = {"2": {"text": "2", "order": "1"}}
    return Request(OLGA, "PATCH", path, {"name": "Colour", "field_data": data})


@_of(muted_users.mute)
async def mute(town: InMemoryServer) -> Request:
    await _say(town, 10)
    return Request(MARY, "POST", f"users/me/muted_users/{town.people[OLGA].id}")


async def _add_bots(town: InMemoryServer, owner: int) -> None:
    for number in range(6):
        await town.people[owner].post(
            "bots", full_name=f"Bot {number}", short_name=f"b{number}", bot_type=1
        )


@_of(users.deactivate)
async def close_account(town: InMemoryServer) -> Request:
    await _add_bots(town, MARY)
    return Request(OLGA, "DELETE", f"users/{town.people[MARY].id}")


@_of(users.deactivate_me)
async def close_own_account(town: InMemoryServer) -> Request:
    await _add_bots(town, MARY)
    return Request(MARY, "DELETE", "users/me", closes_account=True)


@_of(flags.mark_all)
async def read_all(town: InMemoryServer) -> Request:
    await _say(town, 12)
    return Request(MARY, "POST", "mark_all_as_read")


@_of(flags.mark_channel)
async def read_channel(town: InMemoryServer) -> Request:
    await _say(town, 12)
    return Request(MARY, "POST", "mark_stream_as_read", {"stream_id": _channel(town)})


@_of(flags.mark_topic)
async def read_topic(town: InMemoryServer) -> Request:
    await _say(town, 12)
    form = {"stream_id": _channel(town), "topic_name": "long"}
    return Request(MARY, "POST", "mark_topic_as_read", form)


@_of(flags.update)
async def star(town: InMemoryServer) -> Request:
    form = {"messages": await _say(town, 7), "op": "add", "flag": "starred"}
    return Request(MARY, "POST", "messages/flags", form)


@_of(flags.update_narrow)
async def read_from_first_unread(town: InMemoryServer) -> Request:
    """Only so many: with its key, the request means the same messages as before."""
    await _say(town, 16)
    form = {
        "anchor": "first_unread",
        "num_before": 0,
        "num_after": 4,
        "narrow": [["channel", "kitchen"], ["topic", "long"]],
        "op": "add",
        "flag": "read",
    }
    return Request(MARY, "POST", "messages/flags/narrow", form)


@_of(channel_settings.update)
async def protect_history(town: InMemoryServer) -> Request:
    """What was said before they joined is unread for some of them."""
    olga = town.people[OLGA]
    await olga.post("users/me/subscriptions", subscriptions=[{"name": "tea"}])
    old = await olga.post("messages", type="stream", to="tea", topic="t", content="early")
    for number in SOME:
        person = town.people[number]
        await olga.post(
            "users/me/subscriptions", subscriptions=[{"name": "tea"}], principals=[person.id]
        )
        await person.post("messages/flags", messages=[old["id"]], op="remove", flag="read")
    form = {"new_name": "cups", "is_private": True, "history_public_to_subscribers": False}
    return Request(OLGA, "PATCH", f"streams/{_channel(town, 'tea')}", form)


@_of(channel_settings.update)
async def protect_and_hand_over(town: InMemoryServer) -> Request:
    """Whoever makes the change may make no other afterwards."""
    mary = town.people[MARY]
    await mary.post("channels/create", name="tea", subscribers=_ids(town, MARY))
    old = await mary.post("messages", type="stream", to="tea", topic="t", content="early")
    for number in (OLGA, ADAM, MOE):
        person = town.people[number]
        await person.post("users/me/subscriptions", subscriptions=[{"name": "tea"}])
        await person.post("messages/flags", messages=[old["id"]], op="remove", flag="read")
    channel = _channel(town, "tea")
    await mary.delete("users/me/subscriptions", subscriptions=["tea"])
    holders = {"new": {"direct_members": _ids(town, ADAM), "direct_subgroups": []}}
    form = {
        "is_private": True,
        "history_public_to_subscribers": False,
        "can_administer_channel_group": holders,
    }
    return Request(MARY, "PATCH", f"streams/{channel}", form)


NEED_KEY: Final = frozenset({read_from_first_unread})
"""Requests that mean something else when a part of them is done, unless they have a key."""
