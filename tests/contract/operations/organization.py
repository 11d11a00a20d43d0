"""Operations on the organization: its settings, emoji, linkifiers, playgrounds, profile fields, domains."""

from typing import Any, Final

from tests.contract.in_memory_server import PIXEL, Person
from tests.contract.operations.base import Details, operation

SETTINGS: Final[tuple[dict[str, Any], ...]] = (
    {"name": "Village"},
    {"description": "Where we live"},
    {"mandatory_topics": True},
    {"topics_policy": "disable_empty_topic"},
    {"topics_policy": "allow_empty_topic"},
    {"allow_message_editing": False},
    {"allow_message_editing": True},
    {"message_content_edit_limit_seconds": 60},
    {"message_content_edit_limit_seconds": "unlimited"},
    {"message_content_delete_limit_seconds": 600},
    {"message_edit_history_visibility_policy": "none"},
    {"message_edit_history_visibility_policy": "all"},
    {"enable_read_receipts": False},
    {"presence_disabled": True},
    {"name_changes_disabled": True},
    {"waiting_period_threshold": 3},
    {"default_code_block_language": "python"},
    {"enable_guest_user_indicator": False},
)
PERMISSIONS: Final = (
    "can_add_custom_emoji_group",
    "can_add_subscribers_group",
    "can_create_groups",
    "can_create_public_channel_group",
    "can_create_private_channel_group",
    "can_delete_any_message_group",
    "can_delete_own_message_group",
    "can_manage_all_groups",
    "can_mention_many_users_group",
    "can_move_messages_between_channels_group",
    "can_move_messages_between_topics_group",
    "can_resolve_topics_group",
    "direct_message_permission_group",
    "direct_message_initiator_group",
    "can_access_all_users_group",
)


@operation
async def change_organization(me: Person, details: Details) -> object:
    return await me.patch("realm", **details.of(SETTINGS))


@operation
async def change_permission(me: Person, details: Details) -> object:
    return await me.patch("realm", **{details.of(PERMISSIONS): {"new": details.who_may()}})


@operation
async def be_discreet(me: Person, details: Details) -> object:
    """Let guests see all users, or only those they share a channel with."""
    return await me.patch("realm", can_access_all_users_group={"new": details.of((5, 6))})


@operation
async def lose_sight(me: Person, details: Details) -> object:
    """Make a user a guest who meets others in a channel, and leaves it."""
    guest, place = details.user(), "users/me/subscriptions"
    await me.patch(f"users/{guest}", role=600)
    await me.patch("realm", can_access_all_users_group={"new": 5})
    name = details.name()
    await me.post(place, subscriptions=[{"name": name}], principals=[me.id, guest])
    return await me.delete(place, subscriptions=[name], principals=[guest])


@operation
async def change_defaults(me: Person, details: Details) -> object:
    return await me.patch("realm/user_settings_defaults", enter_sends=details.yes())


@operation
async def upload_emoji(me: Person, details: Details) -> object:
    return await me.upload(f"realm/emoji/{details.of(('party', 'parrot'))}", "a.png", PIXEL)


@operation
async def remove_emoji(me: Person, details: Details) -> object:
    return await me.delete(f"realm/emoji/{details.of(('party', 'parrot'))}")


def _linkifier(details: Details) -> dict[str, Any]:
    return {
        "pattern": details.of(("T-(?P<id>[0-9]+)", "#(?P<id>[0-9]{2,8})", "broken(")),
        "url_template": details.of(("https://example.com/{id}", "https://a.example/t{id}")),
    }


@operation
async def make_linkifier(me: Person, details: Details) -> object:
    return await me.post("realm/filters", **_linkifier(details))


@operation
async def change_linkifier(me: Person, details: Details) -> object:
    return await me.patch(f"realm/filters/{details.row('linkifier')}", **_linkifier(details))


@operation
async def delete_linkifier(me: Person, details: Details) -> object:
    return await me.delete(f"realm/filters/{details.row('linkifier')}")


@operation
async def order_linkifiers(me: Person, details: Details) -> object:
    ids = me.town.ids("SELECT id FROM linkifier ORDER BY id")
    start = details.below(len(ids) or 1)
    return await me.patch("realm/linkifiers", ordered_linkifier_ids=ids[start:] + ids[:start])


@operation
async def make_playground(me: Person, details: Details) -> object:
    return await me.post(
        "realm/playgrounds",
        name=details.name(),
        pygments_language=details.of(("python", "rust")),
        url_template="https://example.com/{code}",
    )


@operation
async def delete_playground(me: Person, details: Details) -> object:
    return await me.delete(f"realm/playgrounds/{details.row('playground')}")


@operation
async def make_profile_field(me: Person, details: Details) -> object:
    return await me.post(
        "realm/profile_fields",
        name=details.name(),
        hint="who knows",
        field_type=details.of((1, 2, 4, 5, 8)),
    )


@operation
async def change_profile_field(me: Person, details: Details) -> object:
    return await me.patch(
        f"realm/profile_fields/{details.row('profile_field')}",
        name=details.maybe(details.name()),
        display_in_profile_summary=details.maybe(details.yes()),
    )


@operation
async def delete_profile_field(me: Person, details: Details) -> object:
    return await me.delete(f"realm/profile_fields/{details.row('profile_field')}")


@operation
async def order_profile_fields(me: Person, details: Details) -> object:
    ids = me.town.ids("SELECT id FROM profile_field ORDER BY id")
    start = details.below(len(ids) or 1)
    return await me.patch("realm/profile_fields", order=ids[start:] + ids[:start])


DOMAINS: Final = ("a.example", "b.example")


@operation
async def add_domain(me: Person, details: Details) -> object:
    domain = details.of(DOMAINS)
    return await me.post("realm/domains", domain=domain, allow_subdomains=details.yes())


@operation
async def change_domain(me: Person, details: Details) -> object:
    return await me.patch(f"realm/domains/{details.of(DOMAINS)}", allow_subdomains=details.yes())


@operation
async def remove_domain(me: Person, details: Details) -> object:
    return await me.delete(f"realm/domains/{details.of(DOMAINS)}")
