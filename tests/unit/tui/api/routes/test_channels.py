"""What the routes of channels and groups send, and make of the answer. No sockets."""

import pytest

from tests import eg
from tests.unit.tui.api.routes.cases import CHANNEL, GROUP, MARY, ME, MESSAGE, Case, case, check
from tui.api.encode import encode
from tui.api.model import (
    AnonymousGroup,
    ChannelFolderId,
    Topic,
    UserGroupId,
    VisibilityPolicy,
)
from tui.api.routes import (
    channel_folders,
    channels,
    subscriptions,
    user_groups,
    user_topics,
)

CASES = [
    # Channels
    case(
        lambda c: channels.fetch(c, include_public=True, include_subscribed=False, archived=True),
        "GET /streams",
        {"include_public": "true", "include_subscribed": "false", "exclude_archived": "false"},
        {"streams": [encode(eg.channel(9))]},
        (eg.channel(9),),
    ),
    case(
        lambda c: channels.get(c, channel_id=CHANNEL),
        "GET /streams/9",
        {},
        {"stream": encode(eg.channel(9))},
        eg.channel(9),
    ),
    case(
        lambda c: channels.get_id(c, name="a b"),
        "GET /get_stream_id",
        {"stream": "a b"},
        {"stream_id": 9},
        9,
    ),
    case(
        lambda c: channels.list_topics(c, channel_id=CHANNEL),
        "GET /users/me/9/topics",
        {"allow_empty_topic_name": "true"},
        {"topics": [{"name": "tea", "max_id": 5}]},
        (Topic(name="tea", max_id=MESSAGE),),
    ),
    case(
        lambda c: channels.list_members(c, channel_id=CHANNEL),
        "GET /streams/9/members",
        {},
        {"subscribers": [1]},
        frozenset({1}),
    ),
    case(
        lambda c: channels.get_email_address(c, channel_id=CHANNEL),
        "GET /streams/9/email_address",
        {},
        {"email": "x"},
        "x",
    ),
    case(
        lambda c: channels.create(
            c,
            name="n",
            description="",
            subscribers=[ME],
            invite_only=True,
            is_web_public=False,
            announce=False,
            folder_id=None,
            topics_policy=None,
            history_public_to_subscribers=None,
            groups={"can_send_message_group": GROUP},
        ),
        "POST /channels/create",
        {
            "name": "n",
            "description": "",
            "subscribers": "[1]",
            "invite_only": "true",
            "is_web_public": "false",
            "announce": "false",
            "can_send_message_group": "3",
        },
        {"id": 9},
        9,
    ),
    case(
        lambda c: channels.update(
            c,
            channel_id=CHANNEL,
            new_name=None,
            description=None,
            is_private=True,
            is_web_public=None,
            history_public_to_subscribers=None,
            is_archived=None,
            is_default=None,
            folder_id=None,
            topics_policy=None,
            message_retention_days="unlimited",
            groups={
                "can_send_message_group": channels.GroupChange(
                    new=AnonymousGroup(
                        direct_members=frozenset({ME}), direct_subgroups=frozenset()
                    ),
                    old=GROUP,
                )
            },
        ),
        "PATCH /streams/9",
        {
            "is_private": "true",
            "folder_id": "null",
            "message_retention_days": '"unlimited"',
            "can_send_message_group": '{"new":{"direct_members":[1],"direct_subgroups":[]},"old":3}',
        },
    ),
    case(lambda c: channels.archive(c, channel_id=CHANNEL), "DELETE /streams/9"),
    case(
        lambda c: channels.delete_topic(c, channel_id=CHANNEL, topic="tea"),
        "POST /streams/9/delete_topic",
        {"topic_name": "tea"},
        {"complete": True},
        True,
    ),
    case(
        lambda c: channels.add_default(c, channel_id=CHANNEL),
        "POST /default_streams",
        {"stream_id": "9"},
    ),
    case(
        lambda c: channels.remove_default(c, channel_id=CHANNEL),
        "DELETE /default_streams",
        {"stream_id": "9"},
    ),
    case(
        lambda c: subscriptions.fetch_email_address(c, channel_id=CHANNEL),
        "GET /users/me/subscriptions",
        {},
        {"subscriptions": [{"stream_id": 8}, {"stream_id": 9, "email_address": "x@example.com"}]},
        "x@example.com",
    ),
    case(
        lambda c: subscriptions.add(
            c,
            channels=[subscriptions.NewSubscription(name="n", description="d")],
            user_ids=[MARY],
            invite_only=False,
            announce=True,
        ),
        "POST /users/me/subscriptions",
        {
            "subscriptions": '[{"name":"n","description":"d"}]',
            "principals": "[2]",
            "invite_only": "false",
            "announce": "true",
        },
        {"subscribed": {"2": ["n"]}, "already_subscribed": {}},
        subscriptions.Subscribed(subscribed={"2": ("n",)}, already_subscribed={}, unauthorized=()),
    ),
    case(
        lambda c: subscriptions.remove(c, names=["n"], user_ids=None),
        "DELETE /users/me/subscriptions",
        {"subscriptions": '["n"]'},
        {"removed": ["n"], "not_removed": []},
        ("n",),
    ),
    case(
        lambda c: subscriptions.set_properties(
            c,
            changes=[
                subscriptions.PropertyChange(channel_id=CHANNEL, property="is_muted", value=True)
            ],
        ),
        "POST /users/me/subscriptions/properties",
        {"subscription_data": '[{"stream_id":9,"property":"is_muted","value":true}]'},
    ),
    case(
        lambda c: user_topics.update(
            c, channel_id=CHANNEL, topic="", policy=VisibilityPolicy.FOLLOWED
        ),
        "POST /user_topics",
        {"stream_id": "9", "topic": "", "visibility_policy": "3"},
    ),
    case(
        lambda c: channel_folders.fetch(c, include_archived=True),
        "GET /channel_folders",
        {"include_archived": "true"},
        {"channel_folders": []},
        (),
    ),
    case(
        lambda c: channel_folders.create(c, name="n", description="d"),
        "POST /channel_folders/create",
        {"name": "n", "description": "d"},
        {"channel_folder_id": 4},
        4,
    ),
    case(
        lambda c: channel_folders.update(
            c, folder_id=ChannelFolderId(4), name=None, description=None, is_archived=True
        ),
        "PATCH /channel_folders/4",
        {"is_archived": "true"},
    ),
    case(
        lambda c: channel_folders.reorder(c, folder_ids=[ChannelFolderId(4)]),
        "PATCH /channel_folders",
        {"order": "[4]"},
    ),
    # Groups
    case(
        lambda c: user_groups.fetch(c, include_deactivated=True),
        "GET /user_groups",
        {"include_deactivated_groups": "true"},
        {"user_groups": [encode(eg.user_group(3, date_created=1))]},
        (eg.user_group(3, date_created=1),),
    ),
    case(
        lambda c: user_groups.create(
            c, name="n", description="d", members=[ME], subgroups=[], groups={}
        ),
        "POST /user_groups/create",
        {"name": "n", "description": "d", "members": "[1]"},
        {"group_id": 3},
        3,
    ),
    case(
        lambda c: user_groups.update(
            c, group_id=GROUP, name="m", description=None, deactivated=None, groups={}
        ),
        "PATCH /user_groups/3",
        {"name": "m"},
    ),
    case(lambda c: user_groups.delete(c, group_id=GROUP), "DELETE /user_groups/3"),
    case(lambda c: user_groups.deactivate(c, group_id=GROUP), "POST /user_groups/3/deactivate"),
    case(
        lambda c: user_groups.list_members(c, group_id=GROUP, direct_only=True),
        "GET /user_groups/3/members",
        {"direct_member_only": "true"},
        {"members": [1]},
        frozenset({1}),
    ),
    case(
        lambda c: user_groups.is_member(c, group_id=GROUP, user_id=ME, direct_only=False),
        "GET /user_groups/3/members/1",
        {"direct_member_only": "false"},
        {"is_user_group_member": False},
        False,
    ),
    case(
        lambda c: user_groups.list_subgroups(c, group_id=GROUP, direct_only=False),
        "GET /user_groups/3/subgroups",
        {"direct_subgroup_only": "false"},
        {"subgroups": [4]},
        frozenset({4}),
    ),
    case(
        lambda c: user_groups.update_members(
            c, group_id=GROUP, add=[ME], delete=[], add_subgroups=[], delete_subgroups=[]
        ),
        "POST /user_groups/3/members",
        {"add": "[1]"},
    ),
    case(
        lambda c: user_groups.update_subgroups(c, group_id=GROUP, add=[], delete=[UserGroupId(4)]),
        "POST /user_groups/3/subgroups",
        {"delete": "[4]"},
    ),
]


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.sends)
async def test_channels_routes(example: Case) -> None:
    """Channels and groups become what their administrators meant."""
    await check(example)
