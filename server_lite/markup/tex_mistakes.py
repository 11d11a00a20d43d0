"""Finds errors in TeX without typesetting it. Reads its own list of commands once; otherwise pure.

A formula that passes may still be invalid (a command without its second argument, for example).
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

# Verbatim contents, whose characters have no special meaning.
_VERBATIM: Final = re.compile(
    r"\\verb\*?([^A-Za-z*\s]).{0,200}?\1|\\(?:url|href|includegraphics(?:\[[^\[\]{}]{0,200}\])?) ?\{[^{}]*\}"
)
_TOKEN: Final = re.compile(r"\\(?:[A-Za-z]+|.)|[{}&#^_]|%[^\n]*|\S", re.DOTALL)
_ENVIRONMENT: Final = re.compile(r" {0,4}\{([A-Za-z]{1,20}\*?)\}")
_DEFINES: Final = re.compile(
    r"\\(?:[egx]?def|(?:global)?let|futurelet|(?:new|renew|provide)command)(?![A-Za-z])"
)
_TEXT: Final = re.compile(r"\\(?:text[a-z]*|[hf]box|mbox|emph|tag)\*?\s*\{")
_TEXT_END: Final = re.compile(r"\\.|[{}]", re.DOTALL)
_ENVIRONMENTS: Final = frozenset(
    [
        "Bmatrix",
        "CD",
        "Vmatrix",
        "align",
        "alignat",
        "aligned",
        "alignedat",
        "array",
        "bmatrix",
        "cases",
        "darray",
        "dcases",
        "drcases",
        "equation",
        "gather",
        "gathered",
        "matrix",
        "pmatrix",
        "rcases",
        "smallmatrix",
        "split",
        "subarray",
        "vmatrix",
    ]
)
_SCRIPTS: Final = frozenset("^_")


def has_mistake(source: str) -> bool:
    """Whether TeX would refuse the source.

    Detects unbalanced braces; unknown commands and environments; `\\left` without
    `\\right` and `\\begin` without `\\end`; `&` outside an environment and `#`; double superscripts or
    subscripts, or one with nothing after it.
    """
    if _DEFINES.search(source):
        return not _is_balanced(source)
    text = _without_words(_VERBATIM.sub(" x ", source))
    return text is None or _Reader(text).has_mistake()


@cache
def _commands() -> frozenset[str]:
    names = Path(__file__).with_name("data").joinpath("tex_commands.txt").read_text("ascii")
    return frozenset(names.split())


def _is_balanced(source: str) -> bool:
    depth = 0
    for match in _TEXT_END.finditer(source):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth < 0:
            return False
    return depth == 0


def _without_words(source: str) -> str | None:
    """Return the source with `x` for each `\\text{…}`, which has other rules; None for unbalanced braces."""
    parts: list[str] = []
    position = 0
    while match := _TEXT.search(source, position):
        depth = 1
        end = None
        for brace in _TEXT_END.finditer(source, match.end()):
            depth += {"{": 1, "}": -1}.get(brace[0], 0)
            if not depth:
                end = brace.end()
                break
        if end is None:
            return None
        parts += (source[position : match.start()], "x")
        position = end
    return "".join((*parts, source[position:]))


class _Reader:
    """A walk over the tokens of a formula."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._open: list[str] = []
        self._scripts: list[set[str]] = [set()]
        self._awaits = ""

    def has_mistake(self) -> bool:
        position = 0
        while match := _TOKEN.search(self._source, position):
            position = match.end()
            sign = match[0]
            if sign in {r"\begin", r"\end"}:
                name = _ENVIRONMENT.match(self._source, position)
                if name is None or not self._takes_environment(sign, name[1]):
                    return True
                position = name.end()
            elif not sign.startswith("%") and not self._takes(sign):
                return True
        return bool(self._open or self._awaits)

    def _takes_environment(self, sign: str, name: str) -> bool:
        if name.removesuffix("*") not in _ENVIRONMENTS:
            return False
        return self._opens(name) if sign == r"\begin" else self._closes(name)

    def _takes(self, sign: str) -> bool:
        if sign.startswith("\\") and sign[1:].isalpha() and sign[1:] not in _commands():
            return False
        match sign:
            case "{" | r"\left":
                return self._opens(sign)
            case "}":
                return self._closes("{")
            case r"\right":
                return self._closes(r"\left")
            case "&":
                self._begins_anew()
                return not self._awaits and any(name.isalpha() for name in self._environments())
            case "#":
                return False
            case "^" | "_":
                return self._takes_script(sign)
            case r"\\" | r"\cr" | r"\limits" | r"\nolimits":
                return not self._awaits
            case _:
                self._ends_thing()
                return True

    def _environments(self) -> list[str]:
        return [name.removesuffix("*") for name in self._open]

    def _opens(self, name: str) -> bool:
        self._ends_thing(awaits=self._awaits)
        self._open.append(name)
        self._scripts.append(set())
        # Awaits everything that opens here.
        self._awaits = ""
        return True

    def _closes(self, name: str) -> bool:
        if self._awaits or not self._open or self._open.pop() != name:
            return False
        self._scripts.pop()
        return True

    def _begins_anew(self) -> None:
        self._scripts[-1].clear()

    def _takes_script(self, sign: str) -> bool:
        if self._awaits or sign in self._scripts[-1]:
            return False
        self._scripts[-1].add(sign)
        self._awaits = sign
        return True

    def _ends_thing(self, awaits: str = "") -> None:
        """End an atom: a script takes what comes next; anything else may have scripts of its own."""
        if not (self._awaits or awaits):
            self._begins_anew()
        self._awaits = ""
