"""The actions on a row of a conversation, for the hints: names of `tui.keys`. Pure."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from tui.content.extracts import links, spoilers
from tui.content.nodes import LinkNode, Media
from tui.view.rows import ConversationRow, EchoRow, MessageRow

NOTHING_CHOSEN: Final = frozenset({"reply"})
"""Without a cursor the newest message is meant: reply is offered; more once a message is selected."""

OF_EVERY_MESSAGE: Final = frozenset({"reply", "react", "quote", "forward", "star", "copy", "info"})


def actions_of(row: ConversationRow | None) -> AbstractSet[str]:
    """Return the actions that are worth a hint."""
    match row:
        case MessageRow():
            return _actions_of_message(row)
        case EchoRow():
            return {"edit", "discard"}
        case _:
            return NOTHING_CHOSEN


def _actions_of_message(row: MessageRow) -> AbstractSet[str]:
    actions = set(OF_EVERY_MESSAGE)
    if row.is_own:
        actions |= {"edit", "delete"}
    if row.ballot is not None:
        actions.add("vote")
    if row.is_hidden or spoilers(row.nodes):
        actions.add("spoiler")
    return actions | _actions_of_links(links(row.nodes))


def _actions_of_links(link_nodes: Sequence[LinkNode]) -> AbstractSet[str]:
    media = [each for each in link_nodes if isinstance(each, Media)]
    actions = set()
    if len(media) < len(link_nodes):
        actions.add("links")
    if media:
        actions.add("save")
    if any(each.kind == "image" for each in media):
        actions.add("picture")
    return actions
