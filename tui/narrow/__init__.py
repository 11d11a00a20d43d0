"""Narrows: their terms, the search language and links. Pure."""

from tui.narrow.narrows import (
    AllDms,
    AllMessages,
    ChannelNarrow,
    Conversation,
    Directory,
    DmNarrow,
    Mentions,
    Narrow,
    Search,
    Starred,
    TopicNarrow,
    Unread,
    conversation_of,
    destination_of,
    narrow_of,
    resolve,
    unresolved,
    without_near,
)
from tui.narrow.permalink import Link, format_permalink, parse_permalink
from tui.narrow.search_syntax import format_terms, parse
from tui.narrow.terms import Operand, Term, same_topic

__all__ = [
    "AllDms",
    "AllMessages",
    "ChannelNarrow",
    "Conversation",
    "Directory",
    "DmNarrow",
    "Link",
    "Mentions",
    "Narrow",
    "Operand",
    "Search",
    "Starred",
    "Term",
    "TopicNarrow",
    "Unread",
    "conversation_of",
    "destination_of",
    "format_permalink",
    "format_terms",
    "narrow_of",
    "parse",
    "parse_permalink",
    "resolve",
    "same_topic",
    "unresolved",
    "without_near",
]
