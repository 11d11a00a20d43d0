"""What each operation tells, and whom: the table of the specification, asked of a running server."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from server_lite.endpoints.queues import CAPABILITIES
from server_lite.store.users import Role
from tests.live import Person, live

TEA: Final = {"type": "stream", "to": "tea", "topic": "mugs"}
EVERYTHING: Final = dict.fromkeys(CAPABILITIES, True)

MAY_COME: Final = {"message", "stream/update"}
"""What the notification bot says of it, and the first message of a channel by that."""

Row = tuple[str, str, str, dict[str, Any], str, str]

# What it is; verb, path, parameters; what Ann, who does it, is told; what Ben is told.
OPERATIONS: Final[tuple[Row, ...]] = (
    ("create a channel", "POST", "channels/create", {"name": "tea", "subscribers": "[ann,ben]"}, "stream/create subscription/add", "stream/create subscription/add"),
    ("send", "POST", "messages", {**TEA, "content": "hello"}, "message muted_topics user_topic", "message"),
    ("send again", "POST", "messages", {**TEA, "content": "@**Ben** look"}, "message", "message muted_topics user_topic"),
    ("edit", "PATCH", "messages/{message}", {"content": "bye"}, "update_message", "update_message update_message_flags/remove"),
    ("react", "POST", "messages/{message}/reactions", {"emoji_name": "tada"}, "reaction/add", "reaction/add"),
    ("unreact", "DELETE", "messages/{message}/reactions", {"emoji_name": "tada"}, "reaction/remove", "reaction/remove"),
    ("star", "POST", "messages/flags", {"messages": "[message]", "op": "add", "flag": "starred"}, "update_message_flags/add", ""),
    ("move", "PATCH", "messages/{message}", {"topic": "cups", "propagate_mode": "change_all"}, "message muted_topics update_message user_topic", "message muted_topics update_message user_topic"),
    ("delete", "DELETE", "messages/{message}", {}, "delete_message", "delete_message"),
    ("type", "POST", "typing", {"op": "start", "type": "stream", "stream_id": "{channel}", "topic": "mugs"}, "typing/start", "typing/start"),
    ("rename a channel", "PATCH", "streams/{channel}", {"new_name": "coffee"}, "message stream/update", "message stream/update"),
    ("describe a channel", "PATCH", "streams/{channel}", {"description": "hot"}, "message stream/update", "message stream/update"),
    ("mute a channel", "POST", "users/me/subscriptions/properties", {"subscription_data": '[{"stream_id": {channel}, "property": "is_muted", "value": true}]'}, "subscription/update", ""),
    ("mute a topic", "POST", "user_topics", {"stream_id": "{channel}", "topic": "cups", "visibility_policy": 1}, "muted_topics user_topic", ""),
    ("unsubscribe another", "DELETE", "users/me/subscriptions", {"subscriptions": '["coffee"]', "principals": "[ben]"}, "subscription/peer_remove", "subscription/remove update_message_flags/add"),
    ("archive", "DELETE", "streams/{channel}", {}, "stream/update", "stream/update"),
    ("mute a person", "POST", "users/me/muted_users/{ben}", {}, "muted_users", ""),
    ("draft", "POST", "drafts", {"drafts": '[{"type": "", "to": [], "topic": "", "content": "x"}]'}, "drafts/add", ""),
    ("create a group", "POST", "user_groups/create", {"name": "crew", "description": "", "members": "[ann]"}, "user_group/add", "user_group/add"),
    ("add to a group", "POST", "user_groups/{group}/members", {"add": "[ben]"}, "user_group/add_members", "user_group/add_members"),
    ("rename a group", "PATCH", "user_groups/{group}", {"name": "team"}, "user_group/update", "user_group/update"),
    ("deactivate a group", "POST", "user_groups/{group}/deactivate", {}, "user_group/update", "user_group/update"),
    ("linkify", "POST", "realm/filters", {"pattern": "T-(?P<id>[0-9]+)", "url_template": "https://e.example/{id}"}, "realm_linkifiers", "realm_linkifiers"),
    ("change the organization", "PATCH", "realm", {"description": "us"}, "realm/update_dict", "realm/update_dict"),
    ("create a person", "POST", "users", {"email": "cy@example.com", "password": "very long and secret", "full_name": "Cy"}, "realm_user/add user_group/add_members", "realm_user/add user_group/add_members"),
    ("change a role", "PATCH", "users/{ben}", {"role": 300}, "realm_user/update user_group/add_members user_group/remove_members", "realm_user/update user_group/add_members user_group/remove_members"),
    ("create a bot", "POST", "bots", {"full_name": "Robo", "short_name": "robo"}, "realm_bot/add realm_user/add user_group/add_members", "realm_user/add user_group/add_members"),
    ("change a name", "PATCH", "settings", {"full_name": "Anne"}, "realm_user/update", "realm_user/update"),
    ("change a setting", "PATCH", "settings", {"enter_sends": False}, "user_settings/update", ""),
    ("invite", "POST", "invites", {"invitee_emails": "di@example.com", "stream_ids": "[]"}, "invites_changed", ""),
    ("say something of oneself", "POST", "users/me/status", {"status_text": "out"}, "user_status", "user_status"),
    ("come", "POST", "users/me/presence", {"status": "active"}, "presence", "presence"),
    ("write an alert word", "POST", "users/me/alert_words", {"alert_words": '["tea"]'}, "alert_words", ""),
    ("save a snippet", "POST", "saved_snippets", {"title": "a", "content": "b"}, "saved_snippets/add", ""),
    ("save a view", "POST", "navigation_views", {"fragment": "inbox", "is_pinned": True}, "navigation_view/add", ""),
    ("schedule", "POST", "scheduled_messages", {"type": "direct", "to": "[ben]", "content": "later", "scheduled_delivery_timestamp": 4000000000}, "scheduled_messages/add", ""),
    ("register a device", "POST", "register_client_device", {}, "device/add", ""),
    ("add a domain", "POST", "realm/domains", {"domain": "a.example", "allow_subdomains": False}, "realm_domains/add", "realm_domains/add"),
    ("ask on profiles", "POST", "realm/profile_fields", {"name": "Team", "field_type": 1}, "custom_profile_fields", "custom_profile_fields"),
    ("answer on the profile", "PATCH", "users/me/profile_data", {"data": '[{"id": 1, "value": "Kettles"}]'}, "realm_user/update", "realm_user/update"),
    ("deactivate a person", "DELETE", "users/{ben}", {}, "realm_user/update user_group/remove_members", ""),
)  # fmt: skip


MADE: Final = {
    "channel": ("channels/create", "id"),
    "message": ("messages", "id"),
    "group": ("user_groups/create", "group_id"),
}
"""Where the numbers in the paths come from."""


async def test_every_operation_tells_what_it_changed(tmp_path: Path) -> None:
    """Whoever listens hears of it at once, and of nothing else."""
    async with live(tmp_path, channel_events=True) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        ben = await server.person("Ben")
        ids = {"ann": ann.id, "ben": ben.id, "channel": 0, "message": 0, "group": 0}
        queues = {each.id: await _listening(each) for each in (ann, ben)}
        for what, verb, path, parameters, to_doer, to_ben in OPERATIONS:
            given = {name: _filled(value, ids) for name, value in parameters.items()}
            answer = await ann.ask(verb, _filled(path, ids), **given)
            assert answer["result"] == "success", (what, answer)
            for name, (made_by, key) in MADE.items():
                if path == made_by:
                    ids[name] = answer[key]
            for one, expected in ((ann, to_doer), (ben, to_ben)):
                if (what, one) == ("deactivate a person", ben):
                    continue  # who is told nothing any more
                told = {_kind(each) for each in await one.events(queues[one.id])}
                wanted = set(expected.split())
                assert wanted <= told <= wanted | MAY_COME, (what, one.email, told)


async def _listening(person: Person) -> dict[str, Any]:
    return await person.post(
        "register", client_capabilities=EVERYTHING, fetch_event_types=[], slim_presence=True
    )


def _filled(value: Any, ids: Mapping[str, int]) -> Any:
    if not isinstance(value, str):
        return value
    for name, number in ids.items():
        value = value.replace(f"{{{name}}}", str(number))
        if value.startswith("["):
            value = value.replace(name, str(number)) if '"' not in value else value
    return value


def _kind(event: dict[str, Any]) -> str:
    return "/".join(filter(None, (event["type"], event.get("op"))))
