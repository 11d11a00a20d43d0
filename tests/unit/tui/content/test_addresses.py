"""Addresses of places in the chat, old and new."""

import pytest

from tui.api.model import ChannelId, MessageId, UserId
from tui.content.addresses import Address, parse_address

NINE = ChannelId(9)


@pytest.mark.parametrize(
    ("href", "address"),
    [
        ("#narrow/channel/9-name", Address(channel_id=NINE)),
        ("/#narrow/channel/9-name/", Address(channel_id=NINE)),
        ("#narrow/stream/9", Address(channel_id=NINE)),
        (
            "#narrow/channel/9-x/topic/a.2Fb.2E.E6.97.A5",
            Address(channel_id=NINE, topic="a/b.日"),
        ),
        (
            "#narrow/channel/9-x/topic/t/with/5",
            Address(channel_id=NINE, topic="t", message_id=MessageId(5)),
        ),
        (
            "#narrow/stream/9-x/subject/t/near/5",
            Address(channel_id=NINE, topic="t", message_id=MessageId(5), near=True),
        ),
        ("#narrow/channel/9-x/topic/", Address(channel_id=NINE, topic="")),
        (
            "#narrow/channel/9-x/topic/with/5",
            Address(channel_id=NINE, topic="", message_id=MessageId(5)),
        ),
        (
            "#narrow/dm/1,22-Ann,-Bo/near/3",
            Address(user_ids=(UserId(1), UserId(22)), message_id=MessageId(3), near=True),
        ),
        ("#narrow/pm-with/4-user4", Address(user_ids=(UserId(4),))),
    ],
)
def test_places_are_understood(href: str, address: Address) -> None:
    """Links that people paste lead where they say."""
    assert parse_address(href) == address


@pytest.mark.parametrize(
    "href",
    [
        "https://example.com/#narrow/channel/9-x",
        "#narrow/-channel/9-x",
        "#narrow/channel",
        "#narrow/channel/x",
        "#narrow/search/word",
        "#narrow/channel/" + "9" * 5000,
        "#narrow/is/starred",
        "#settings",
        "",
    ],
)
def test_other_addresses_are_not_places(href: str) -> None:
    """What is not a conversation of this server stays an ordinary link."""
    assert parse_address(href) is None
