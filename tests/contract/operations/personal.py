"""Operations on personal data: drafts, snippets, reminders, settings, alert words, views."""

from typing import Any, Final

from tests.contract.in_memory_server import PIXEL, Person
from tests.contract.operations.base import Details, operation

SETTINGS: Final[tuple[dict[str, Any], ...]] = (
    {"twenty_four_hour_time": True},
    {"twenty_four_hour_time": False},
    {"enter_sends": True},
    {"color_scheme": 2},
    {"allow_private_data_export": True},
    {"web_home_view": "recent"},
    {"presence_enabled": False},
    {"presence_enabled": True},
    {"send_read_receipts": False},
    {"enable_drafts_synchronization": False},
    {"enable_drafts_synchronization": True},
    {"email_address_visibility": 5},
    {"email_address_visibility": 1},
    {"email_address_visibility": 3},
    {"automatically_follow_topics_policy": 1},
    {"automatically_follow_topics_policy": 2},
    {"automatically_unmute_topics_in_muted_streams_policy": 1},
    {"automatically_follow_topics_where_mentioned": True},
    {"default_language": "de"},
    {"timezone": "Europe/Berlin"},
    {"enable_stream_desktop_notifications": True},
    {"desktop_icon_count_display": 3},
    {"receives_typing_notifications": False},
    {"resolved_topic_notice_auto_read_policy": "always"},
)

FRAGMENTS: Final = ("narrow/is/starred", "inbox", "narrow/is/dm")


def _draft(details: Details) -> dict[str, Any]:
    return details.of(
        (
            {
                "type": "stream",
                "to": [details.channel()],
                "topic": details.topic(),
                "content": details.words(),
            },
            {"type": "private", "to": [details.user()], "topic": "", "content": details.words()},
            {"type": "", "to": [], "topic": "", "content": details.words(), "timestamp": 17},
        )
    )


@operation
async def keep_draft(me: Person, details: Details) -> object:
    return await me.post("drafts", drafts=[_draft(details) for _ in range(1 + details.below(2))])


@operation
async def change_draft(me: Person, details: Details) -> object:
    return await me.patch(f"drafts/{details.own('draft', me)}", draft=_draft(details))


@operation
async def throw_draft_away(me: Person, details: Details) -> object:
    return await me.delete(f"drafts/{details.own('draft', me)}")


@operation
async def keep_snippet(me: Person, details: Details) -> object:
    return await me.post("saved_snippets", title=details.name(), content=details.words())


@operation
async def change_snippet(me: Person, details: Details) -> object:
    snippet = details.own("saved_snippet", me)
    return await me.patch(
        f"saved_snippets/{snippet}",
        title=details.maybe(details.name()),
        content=details.maybe(details.words()),
    )


@operation
async def throw_snippet_away(me: Person, details: Details) -> object:
    return await me.delete(f"saved_snippets/{details.own('saved_snippet', me)}")


@operation
async def schedule_message(me: Person, details: Details) -> object:
    in_channel = details.yes()
    return await me.post(
        "scheduled_messages",
        type="stream" if in_channel else "direct",
        to=details.channel() if in_channel else details.users() or [me.id],
        topic=details.topic() if in_channel else None,
        content=details.words(),
        scheduled_delivery_timestamp=details.later(),
    )


@operation
async def change_scheduled_message(me: Person, details: Details) -> object:
    return await me.patch(
        f"scheduled_messages/{details.row('scheduled_message')}",
        content=details.maybe(details.words()),
        topic=details.maybe(details.topic()),
        scheduled_delivery_timestamp=details.maybe(details.later()),
    )


@operation
async def withdraw_scheduled_message(me: Person, details: Details) -> object:
    return await me.delete(f"scheduled_messages/{details.row('scheduled_message')}")


@operation
async def remind_me(me: Person, details: Details) -> object:
    return await me.post(
        "reminders",
        message_id=details.message(),
        scheduled_delivery_timestamp=details.later(),
        note=details.maybe(details.words()[:100]),
    )


@operation
async def withdraw_reminder(me: Person, details: Details) -> object:
    listed = await me.get("reminders")
    if listed["status"] != 200 or not listed["reminders"]:
        return listed
    return await me.delete(f"reminders/{details.of(listed['reminders'])['reminder_id']}")


@operation
async def wait(me: Person, details: Details) -> object:
    """Advance the clock, and let the server do due work."""
    me.town.now += details.of((1, 30, 120, 1000, 90_000))
    await me.town.upkeep()
    return {"status": 200}


@operation
async def change_setting(me: Person, details: Details) -> object:
    return await me.patch("settings", **details.of(SETTINGS))


@operation
async def change_own_name(me: Person, details: Details) -> object:
    return await me.patch("settings", full_name=details.name())


@operation
async def watch_for_words(me: Person, details: Details) -> object:
    verb = details.of(("POST", "DELETE"))
    words = details.some(("alarm", "Tea", "tea", "hello"))
    return await me.ask(verb, "users/me/alert_words", {"alert_words": words})


@operation
async def keep_view(me: Person, details: Details) -> object:
    fragment = details.of(FRAGMENTS)
    return await me.post(
        "navigation_views",
        fragment=fragment,
        is_pinned=details.yes(),
        name=details.maybe(details.name()),
    )


@operation
async def change_view(me: Person, details: Details) -> object:
    fragment = details.of(FRAGMENTS)
    return await me.patch(
        f"navigation_views/{fragment}",
        is_pinned=details.yes(),
        name=details.maybe(details.name()),
    )


@operation
async def drop_view(me: Person, details: Details) -> object:
    fragment = details.of(FRAGMENTS)
    return await me.delete(f"navigation_views/{fragment}")


@operation
async def fill_profile(me: Person, details: Details) -> object:
    field_id = details.row("profile_field")
    if details.yes():
        data = [{"id": field_id, "value": details.of(("short", "2001-01-01", "https://a.example"))}]
        return await me.patch("users/me/profile_data", data=data)
    return await me.delete("users/me/profile_data", data=[field_id])


@operation
async def change_avatar(me: Person, details: Details) -> object:
    if details.yes():
        return await me.upload("users/me/avatar", "me.png", PIXEL)
    return await me.delete("users/me/avatar")


@operation
async def register_device(me: Person, details: Details) -> object:
    return await me.post("register_client_device")


@operation
async def remove_device(me: Person, details: Details) -> object:
    return await me.post("remove_client_device", device_id=details.row("device"))
