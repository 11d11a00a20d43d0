"""@**Full Name**, @**Full Name|7**, @_**silent**, and the wildcards @**all** and @**topic**. Pure."""

import re
from typing import Final

from markdown_it.rules_inline import StateInline

from server_lite.markup.context import Context, context_of
from server_lite.markup.lookup import Person
from server_lite.markup.rules.mention import is_silent, may_start, mention
from server_lite.markup.rules.output import push_html

_MENTION: Final = re.compile(r"@(_?)\*\*([^*\n]+)\*\*")
_NAME_AND_ID: Final = re.compile(r"(.*)\|([0-9]{1,18})")
_CHANNEL_WILDCARDS: Final = frozenset({"all", "everyone", "channel", "stream"})


def user_mention(state: StateInline, silent: bool) -> bool:  # noqa: ARG001  # the parser's signature
    """Parse a mention of a user or a wildcard; an unknown name stays text."""
    match = _MENTION.match(state.src, state.pos, state.posMax)
    if match is None or not may_start(state):
        return False
    context = context_of(state)
    is_quiet = is_silent(context, match[1])
    html = _wildcard(context, match[2], is_quiet) or _person(context, match[2], is_quiet)
    if html is None:
        return False
    push_html(state, html)
    state.pos = match.end()
    return True


def _wildcard(context: Context, name: str, is_quiet: bool) -> str | None:
    if name in _CHANNEL_WILDCARDS:
        context.mentions_channel |= not is_quiet
        kind = "user-mention channel-wildcard-mention"
        return mention(kind, {"data-user-id": "*"}, name, silent=is_quiet)
    if name == "topic":
        context.mentions_topic |= not is_quiet
        return mention("topic-mention", {}, name, silent=is_quiet)
    return None


def _person(context: Context, text: str, is_quiet: bool) -> str | None:
    person = _named(context, text)
    if person is None or not (person.is_active or is_quiet):
        return None
    if not is_quiet:
        context.user_ids.add(person.id)
    return mention("user-mention", {"data-user-id": person.id}, person.full_name, silent=is_quiet)


def _named(context: Context, text: str) -> Person | None:
    """Return the user; with an ID the name must match that user's, or be omitted."""
    if match := _NAME_AND_ID.fullmatch(text):
        person = context.person(int(match[2]))
        if person and match[1].casefold() in {"", person.full_name.casefold()}:
            return person
    people = context.people_named(text)
    return next((person for person in people if person.is_active), next(iter(people), None))
