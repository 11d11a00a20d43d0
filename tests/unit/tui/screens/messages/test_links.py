"""Addresses that somebody copied: into this chat, or elsewhere."""

import pytest

from tests import eg
from tui.api.model import ChannelId, MessageId
from tui.content.nodes import Link as LinkNode
from tui.content.nodes import Text
from tui.narrow import Starred, TopicNarrow
from tui.screens.messages.links import inside, pasted

SITE = "https://chat.example.com/"


@pytest.mark.parametrize("home", ["https://chat.example.com/", "https://chat.example.com", ""])
def test_a_copied_link_leads_to_its_message(home: str) -> None:
    """However much of the address was copied along."""
    place = pasted(f" {home}#narrow/channel/9-x/topic/tea/near/12 ", SITE, eg.ME.user_id)
    assert place is not None
    assert (place.narrow, place.near) == (TopicNarrow(ChannelId(9), "tea"), MessageId(12))


@pytest.mark.parametrize(
    "text", ["https://elsewhere.example.com/#narrow/channel/9", "tea", "#general", "#narrow/x/y"]
)
def test_other_texts_are_no_links_into_this_chat(text: str) -> None:
    """Another organization's link is not opened in this one, nor is a name taken for a link."""
    assert pasted(text, SITE, eg.ME.user_id) is None


def test_a_link_to_a_view_opens_it_here_and_not_in_a_browser() -> None:
    """Somebody wrote it into a message."""
    link = LinkNode(href="/#narrow/is/starred", children=(Text("mine"),))
    place = inside(link, SITE, eg.ME.user_id)
    assert place is not None
    assert place.narrow == Starred()
    elsewhere = LinkNode(href="https://example.org/#narrow/is/starred", children=(Text("x"),))
    assert inside(elsewhere, SITE, eg.ME.user_id) is None
