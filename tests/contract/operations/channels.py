"""Operations on channels: create, subscribe, unsubscribe, change, archive, folders; topic policies."""

from typing import Any, Final

from tests.contract.in_memory_server import Person
from tests.contract.operations.base import Details, operation

PERMISSIONS: Final = (
    "can_subscribe_group",
    "can_add_subscribers_group",
    "can_administer_channel_group",
    "can_send_message_group",
    "can_remove_subscribers_group",
    "can_delete_any_message_group",
    "can_move_messages_out_of_channel_group",
    "can_move_messages_within_channel_group",
    "can_resolve_topics_group",
    "can_create_topic_group",
    "can_delete_own_message_group",
)


async def _names(me: Person, details: Details) -> list[str]:
    """Return channels by name, including ones invisible to the user."""
    names = me.town.app.database.reader.column("SELECT name FROM channel ORDER BY id DESC LIMIT 8")
    return details.some(names, 2) or [details.name()]


def _privacy(details: Details) -> dict[str, Any]:
    return details.of(
        (
            {},
            {"invite_only": True},
            {"invite_only": True, "history_public_to_subscribers": True},
            {"is_web_public": True},
        )
    )


@operation
async def make_channel(me: Person, details: Details) -> object:
    return await me.post(
        "channels/create",
        name=details.name(),
        description=details.words()[:100],
        subscribers=[me.id, *details.users()],
        **_privacy(details),
        **({details.of(PERMISSIONS): details.who_may()} if details.yes() else {}),
    )


@operation
async def subscribe(me: Person, details: Details) -> object:
    names = await _names(me, details)
    return await me.post(
        "users/me/subscriptions",
        subscriptions=[{"name": name, "color": "#123456"} for name in names],
        principals=details.users() if details.yes() else None,
        authorization_errors_fatal=details.yes(),
        **_privacy(details),
    )


@operation
async def unsubscribe(me: Person, details: Details) -> object:
    return await me.delete(
        "users/me/subscriptions",
        subscriptions=await _names(me, details),
        principals=details.users() if details.yes() else None,
    )


@operation
async def set_channel_property(me: Person, details: Details) -> object:
    name, value = details.of(
        (
            ("is_muted", details.yes()),
            ("color", details.of(("#aabbcc", "#000", "#123456"))),
            ("pin_to_top", details.yes()),
            ("in_home_view", details.yes()),
            ("desktop_notifications", details.of((True, False, None))),
            ("audible_notifications", details.of((True, False, None))),
            ("push_notifications", details.of((True, False, None))),
            ("email_notifications", details.of((True, False, None))),
            ("wildcard_mentions_notify", details.of((True, False, None))),
        )
    )
    one = {"stream_id": details.channel(), "property": name, "value": value}
    return await me.post("users/me/subscriptions/properties", subscription_data=[one])


@operation
async def mute_channel(me: Person, details: Details) -> object:
    return await me.post(
        f"users/me/subscriptions/{details.channel()}", property="is_muted", value=details.yes()
    )


@operation
async def rename_channel(me: Person, details: Details) -> object:
    return await me.patch(f"streams/{details.channel()}", new_name=details.name())


@operation
async def describe_channel(me: Person, details: Details) -> object:
    return await me.patch(f"streams/{details.channel()}", description=details.words()[:100])


@operation
async def change_privacy(me: Person, details: Details) -> object:
    asked = details.of(
        (
            {"is_private": True},
            {"is_private": False},
            {"is_private": True, "history_public_to_subscribers": True},
            {"is_web_public": True, "is_private": False},
            {"history_public_to_subscribers": False},
            {"is_default_stream": True},
            {"is_default_stream": False},
        )
    )
    return await me.patch(f"streams/{details.channel()}", **asked)


@operation
async def change_channel(me: Person, details: Details) -> object:
    asked: dict[str, Any] = details.of(
        (
            {details.of(PERMISSIONS): {"new": details.who_may()}},
            {"message_retention_days": details.of(("unlimited", "realm_default", 30))},
            {"topics_policy": details.of(("inherit", "disable_empty_topic", "empty_topic_only"))},
            {"folder_id": details.row("channel_folder")},
        )
    )
    return await me.patch(f"streams/{details.channel()}", **asked)


@operation
async def take_channel_out_of_folder(me: Person, details: Details) -> object:
    return await me.patch(f"streams/{details.channel()}", folder_id="null")


@operation
async def archive_channel(me: Person, details: Details) -> object:
    return await me.delete(f"streams/{details.channel()}")


@operation
async def unarchive_channel(me: Person, details: Details) -> object:
    return await me.patch(f"streams/{details.channel()}", is_archived=False)


@operation
async def default_channel(me: Person, details: Details) -> object:
    verb = details.of(("POST", "DELETE"))
    return await me.ask(verb, "default_streams", {"stream_id": details.channel()})


@operation
async def make_folder(me: Person, details: Details) -> object:
    return await me.post(
        "channel_folders/create", name=details.name(), description=details.words()[:100]
    )


@operation
async def change_folder(me: Person, details: Details) -> object:
    asked: dict[str, Any] = details.of(
        (
            {"name": details.name()},
            {"description": details.words()[:100]},
            {"is_archived": details.yes()},
        )
    )
    return await me.patch(f"channel_folders/{details.row('channel_folder')}", **asked)


@operation
async def order_folders(me: Person, details: Details) -> object:
    ids = me.town.ids("SELECT id FROM channel_folder ORDER BY id")
    start = details.below(len(ids) or 1)
    return await me.patch("channel_folders", order=ids[start:] + ids[:start])


@operation
async def follow_topic(me: Person, details: Details) -> object:
    return await me.post(
        "user_topics",
        stream_id=details.channel(),
        topic=details.topic(),
        visibility_policy=details.of((1, 3, 2, 0)),
    )


@operation
async def mute_topic(me: Person, details: Details) -> object:
    return await me.patch(
        "users/me/subscriptions/muted_topics",
        stream_id=details.channel(),
        topic=details.topic(),
        op=details.of(("add", "remove")),
    )
