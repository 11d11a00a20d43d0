"""Fenced blocks: ```lang code, ```quote, ```spoiler and ```math. Pure."""

import re
from typing import Final

from markdown_it.rules_block import StateBlock

from server_lite.dataclass import dataclass
from server_lite.markup.code import code_block
from server_lite.markup.context import Context, context_of
from server_lite.markup.rules.fenced_quote import fenced_quote
from server_lite.markup.rules.output import push_html
from server_lite.markup.rules.spoiler import spoiler
from server_lite.markup.tex import formula_block

_FENCE: Final = re.compile(
    r"(?P<fence>`{3,}|~{3,}) *(?:(?P<brace>\{)?\.?(?P<language>[A-Za-z0-9_+,./#-]+)(?P<rest>.*))?[ \t]*"
)
_CONTAINERS: Final = frozenset({"quote", "spoiler"})


@dataclass(frozen=True, slots=True)
class _FenceStart:
    fence: str
    language: str
    rest: str


def fence(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse from a fence to the same fence again, or to the end of its container."""
    opening = None if state.is_code_block(start) else _opening(state, start)
    if opening is None:
        return False
    if silent:
        return True
    context = context_of(state)
    kind = opening.language.lower()
    is_container = kind in _CONTAINERS and not context.is_full
    last = _container_end(state, start, end) if is_container else _code_end(state, start, end)
    state.line = start
    if is_container:
        context.depth += 1
        if kind == "quote":
            fenced_quote(state, opening.rest, start + 1, last)
        else:
            spoiler(state, opening.rest, start + 1, last)
        context.depth -= 1
    else:
        source = state.getLines(start + 1, last, state.sCount[start], True)
        push_html(state, _leaf(context, opening.language, source))
    state.line = min(last + 1, end)
    return True


def _leaf(context: Context, language: str, source: str) -> str:
    if language.lower() == "math":
        return formula_block(source) + "\n"
    named = language or context.settings.default_code_language
    return code_block(source, named, context.highlighting) + "\n"


def _opening(state: StateBlock, line: int) -> _FenceStart | None:
    """Return the fence that a line opens; None if it is none, such as words between runs of signs."""
    first = state.bMarks[line] + state.tShift[line]
    if not state.src.startswith(("```", "~~~"), first):
        return None
    match = _FENCE.fullmatch(state.src, first, state.eMarks[line])
    if match is None:
        return None
    language, rest = match["language"] or "", (match["rest"] or "").strip()
    if match["brace"]:
        rest = rest.removesuffix("}").rstrip()
    opening = _FenceStart(match["fence"], language, rest)
    # A title may contain `code` and ~~more~~; after a language such signs mean that this is no fence.
    is_title = language.lower() in _CONTAINERS and match["fence"][:3] not in rest
    if not is_title and ("`" in rest or "~" in rest):
        return None
    # "```some words" without a line of code below is text, and not a language.
    is_said = rest and language.lower() not in _CONTAINERS and not _has_lines(state, line, opening)
    return None if is_said else opening


def _has_lines(state: StateBlock, start: int, opening: _FenceStart) -> bool:
    """Whether anything is between a fence and its end."""
    for line in range(start + 1, state.lineMax):
        if not state.isEmpty(line):
            return not (_is_outside(state, line) or _closes(state, line, opening.fence))
    return False


def _is_outside(state: StateBlock, line: int) -> bool:
    """Whether a line of text is less indented than the container, which ends the fence."""
    return state.sCount[line] < state.blkIndent and not state.isEmpty(line)


def _closes(state: StateBlock, line: int, fence_characters: str) -> bool:
    first = state.bMarks[line] + state.tShift[line]
    return state.src[first : state.eMarks[line]].rstrip() == fence_characters


def _code_end(state: StateBlock, start: int, end: int) -> int:
    opening = _opening(state, start)
    assert opening is not None
    for line in range(start + 1, end):
        if _is_outside(state, line) or _closes(state, line, opening.fence):
            return line
    return end


def _container_end(state: StateBlock, start: int, end: int) -> int:
    """Return the line that closes the fence at `start`; nested fences take their own closing lines."""
    open_fences: list[str] = []
    is_code = False
    for line in range(start, end):
        if _is_outside(state, line):
            return line
        opening = _opening(state, line)
        if opening is None:
            continue
        if open_fences and _closes(state, line, open_fences[-1]):
            open_fences.pop()
            is_code = False
            if not open_fences:
                return line
        elif not is_code:
            open_fences.append(opening.fence)
            is_code = opening.language.lower() not in _CONTAINERS
    return end
