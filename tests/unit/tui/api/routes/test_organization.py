"""What the routes of administration send, and make of the answer. No sockets."""

import pytest

from tests import eg
from tests.unit.tui.api.routes.cases import CHANNEL, ME, Case, case, check
from tui.api.model import (
    Attachment,
    InviteId,
    LinkifierId,
    ProfileFieldId,
    UserGroupId,
    UserId,
)
from tui.api.organization import BotService, OwnBot
from tui.api.routes import (
    avatars,
    bots,
    calls,
    custom_emoji,
    invites,
    linkifiers,
    navigation_views,
    profile_fields,
    settings,
    uploads,
)
from tui.api.wire import UNSET

LINKIFIER = linkifiers.NewLinkifier(
    pattern="#(?P<id>[0-9]+)",
    url_template="https://x/{id}",
    example_input=None,
    reverse_template=None,
    alternative_url_templates=(),
)

CASES = [
    # Files and pictures (what is uploaded is looked at with the connection)
    case(
        lambda c: uploads.list_attachments(c),
        "GET /attachments",
        {},
        {"attachments": [], "upload_space_used": 7},
        uploads.Attachments(attachments=(), upload_space_used=7),
    ),
    case(
        lambda c: uploads.delete_attachment(c, attachment_id=eg.make(Attachment, id=4).id),
        "DELETE /attachments/4",
    ),
    case(lambda c: avatars.delete(c), "DELETE /users/me/avatar"),
    # The organization
    case(
        lambda c: settings.update(c, changes={"enter_sends": True, "timezone": "UTC"}),
        "PATCH /settings",
        {"enter_sends": "true", "timezone": "UTC"},
    ),
    case(lambda c: settings.update_realm(c, changes={"name": "n"}), "PATCH /realm", {"name": "n"}),
    case(lambda c: custom_emoji.fetch(c), "GET /realm/emoji", {}, {"emoji": {}}, {}),
    case(lambda c: custom_emoji.deactivate(c, name="a/b"), "DELETE /realm/emoji/a%2Fb"),
    case(lambda c: linkifiers.fetch(c), "GET /realm/linkifiers", {}, {"linkifiers": []}, ()),
    case(
        lambda c: linkifiers.create(c, linkifier=LINKIFIER),
        "POST /realm/filters",
        {
            "pattern": "#(?P<id>[0-9]+)",
            "url_template": "https://x/{id}",
            "alternative_url_templates": "[]",
        },
        {"id": 4},
        4,
    ),
    case(
        lambda c: linkifiers.update(c, linkifier_id=LinkifierId(4), linkifier=LINKIFIER),
        "PATCH /realm/filters/4",
        {
            "pattern": "#(?P<id>[0-9]+)",
            "url_template": "https://x/{id}",
            "example_input": "",
            "reverse_template": "",
            "alternative_url_templates": "[]",
        },
    ),
    case(lambda c: linkifiers.delete(c, linkifier_id=LinkifierId(4)), "DELETE /realm/filters/4"),
    case(
        lambda c: linkifiers.reorder(c, linkifier_ids=[LinkifierId(4)]),
        "PATCH /realm/linkifiers",
        {"ordered_linkifier_ids": "[4]"},
    ),
    case(
        lambda c: profile_fields.fetch(c),
        "GET /realm/profile_fields",
        {},
        {"custom_fields": []},
        (),
    ),
    case(
        lambda c: profile_fields.create(
            c, field_type=3, name="n", hint="", field_data={"0": {"text": "x", "order": "1"}}
        ),
        "POST /realm/profile_fields",
        {
            "field_type": "3",
            "name": "n",
            "hint": "",
            "field_data": '{"0": {"text": "x", "order": "1"}}',
        },
        {"id": 4},
        4,
    ),
    case(
        lambda c: profile_fields.update(
            c,
            field_id=ProfileFieldId(4),
            name="m",
            hint=None,
            field_data=None,
            display_in_profile_summary=None,
            required=True,
            editable_by_user=None,
        ),
        "PATCH /realm/profile_fields/4",
        {"name": "m", "required": "true"},
    ),
    case(
        lambda c: profile_fields.delete(c, field_id=ProfileFieldId(4)),
        "DELETE /realm/profile_fields/4",
    ),
    case(
        lambda c: profile_fields.reorder(c, field_ids=[ProfileFieldId(4)]),
        "PATCH /realm/profile_fields",
        {"order": "[4]"},
    ),
    case(lambda c: invites.fetch(c), "GET /invites", {}, {"invites": []}, ()),
    case(
        lambda c: invites.send(
            c,
            emails=["a@x", "b@x"],
            invite_as=400,
            channel_ids=[CHANNEL],
            group_ids=[UserGroupId(3)],
            expires_in_minutes=None,
            default_channels=True,
            notify=False,
            welcome="Hi!",
        ),
        "POST /invites",
        {
            "invitee_emails": "a@x,b@x",
            "invite_as": "400",
            "stream_ids": "[9]",
            "group_ids": "[3]",
            "invite_expires_in_minutes": "null",
            "include_realm_default_subscriptions": "true",
            "notify_referrer_on_join": "false",
            "welcome_message_custom_text": "Hi!",
        },
        {"invite_links": {"a@x": "https://x/join/1", "b@x": None}},
        {"a@x": "https://x/join/1", "b@x": None},
    ),
    case(
        lambda c: invites.create_link(
            c,
            invite_as=600,
            channel_ids=[],
            group_ids=[],
            expires_in_minutes=UNSET,
            default_channels=None,
            welcome=None,
        ),
        "POST /invites/multiuse",
        {"invite_as": "600", "stream_ids": "[]"},
        {"invite_link": "https://x/join/1"},
        "https://x/join/1",
    ),
    case(lambda c: invites.revoke(c, invite_id=InviteId(4)), "DELETE /invites/4"),
    case(lambda c: invites.revoke_link(c, invite_id=InviteId(4)), "DELETE /invites/multiuse/4"),
    case(lambda c: invites.resend(c, invite_id=InviteId(4)), "POST /invites/4/resend"),
    case(
        lambda c: invites.resend(c, invite_id=InviteId(4)),
        "POST /invites/4/resend",
        {},
        {"invite_link": "https://x/join/1"},
        "https://x/join/1",
    ),
    case(
        lambda c: navigation_views.fetch(c),
        "GET /navigation_views",
        {},
        {"navigation_views": []},
        (),
    ),
    case(
        lambda c: navigation_views.create(c, fragment="narrow/is/dm", is_pinned=True, name=None),
        "POST /navigation_views",
        {"fragment": "narrow/is/dm", "is_pinned": "true"},
    ),
    case(
        lambda c: navigation_views.edit(c, fragment="narrow/is/dm", is_pinned=False, name=None),
        "PATCH /navigation_views/narrow%2Fis%2Fdm",
        {"is_pinned": "false"},
    ),
    case(lambda c: navigation_views.delete(c, fragment="inbox"), "DELETE /navigation_views/inbox"),
    # Bots and calls
    case(
        lambda c: bots.fetch(c),
        "GET /bots",
        {},
        {
            "bots": [
                {"username": "b@x", "api_key": "k", "services": [{"base_url": "u", "interface": 2}]}
            ]
        },
        (
            OwnBot(
                email="b@x",
                api_key="k",
                services=(BotService(base_url="u", interface=2, trigger_words=None),),
            ),
        ),
    ),
    case(
        lambda c: bots.create(
            c, full_name="n", short_name="s", bot_type=3, payload_url="https://x", interface=2
        ),
        "POST /bots",
        {
            "full_name": "n",
            "short_name": "s",
            "bot_type": "3",
            "payload_url": '"https://x"',
            "interface_type": "2",
        },
        {"user_id": 4, "api_key": "k"},
        bots.NewBot(user_id=UserId(4), api_key="k"),
    ),
    case(
        lambda c: bots.update(c, bot_id=UserId(4), owner_id=ME, payload_url="https://x"),
        "PATCH /bots/4",
        {"bot_owner_id": "1", "service_payload_url": '"https://x"'},
    ),
    case(lambda c: bots.deactivate(c, bot_id=UserId(4)), "DELETE /bots/4"),
    case(
        lambda c: bots.get_api_key(c, bot_id=UserId(4)),
        "GET /bots/4/api_key",
        {},
        {"api_key": "k"},
        "k",
    ),
    case(
        lambda c: bots.regenerate_api_key(c, bot_id=UserId(4)),
        "POST /bots/4/api_key/regenerate",
        {},
        {"api_key": "k"},
        "k",
    ),
    case(
        lambda c: bots.get_storage(c, keys=["a"]),
        "GET /bot_storage",
        {"keys": '["a"]'},
        {"storage": {"a": "1"}},
        {"a": "1"},
    ),
    case(
        lambda c: bots.update_storage(c, storage={"a": "1"}),
        "PUT /bot_storage",
        {"storage": '{"a":"1"}'},
    ),
    case(lambda c: bots.delete_storage(c, keys=None), "DELETE /bot_storage"),
    case(
        lambda c: calls.create(c, provider="jitsi"),
        "POST /calls/jitsi/create",
        {},
        {"url": "https://x"},
        "https://x",
    ),
]


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.sends)
async def test_organization_routes(example: Case) -> None:
    """What an administrator decides is what the server is told."""
    await check(example)
