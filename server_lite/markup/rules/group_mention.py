"""@*group* and @_*group*. Pure; permission to mention the group is checked elsewhere."""

import re
from typing import Final

from markdown_it.rules_inline import StateInline

from server_lite.markup.context import context_of
from server_lite.markup.rules.mention import is_silent, may_start, mention
from server_lite.markup.rules.output import push_html

_MENTION: Final = re.compile(r"@(_?)\*([^*\n]+)\*")


def group_mention(state: StateInline, silent: bool) -> bool:  # noqa: ARG001  # the parser's signature
    """Parse a mention of a user group; system groups only silently, by their description."""
    match = _MENTION.match(state.src, state.pos, state.posMax)
    if match is None or not may_start(state):
        return False
    context = context_of(state)
    group = context.group_named(match[2])
    is_quiet = is_silent(context, match[1])
    if group is None or (group.is_system and not is_quiet):
        return False
    if not is_quiet:
        context.group_ids.add(group.id)
    name = group.description if group.is_system and group.description else group.name
    attributes = {"data-user-group-id": group.id}
    push_html(state, mention("user-group-mention", attributes, name, silent=is_quiet))
    state.pos = match.end()
    return True
