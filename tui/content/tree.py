"""HTML text -> a tree of elements, for any text.

Never raises, takes linear time, and never loses text: elements that are too deep or too many lose only their
tags. Knows nothing of messages; no I/O, no Textual.
"""

from dataclasses import field
from html import unescape
from html.parser import HTMLParser
from typing import Final, TypeAlias

from tui.dataclass import dataclass

MAX_CHARS: Final = 1_000_000
"""A message has at most 10,000 characters; formulas and code make about a hundred of one."""

MAX_DEPTH: Final = 48
"""Most levels of elements; deeper ones become content of the deepest."""

MAX_ELEMENTS: Final = 20_000

_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr")
)

CUT: Final = "[…]"
"""Marks where a text over `MAX_CHARS` was cut."""


@dataclass(slots=True)
class Element:
    """A tag, its attributes (a name without value has ""), and its children."""

    tag: str
    attrs: dict[str, str] = field(default_factory=dict)
    children: "list[Element | str]" = field(default_factory=list)

    @property
    def classes(self) -> list[str]:
        """The values of `class`."""
        return self.attrs.get("class", "").split()

    def find(self, tag: str, cls: str | None = None) -> "Element | None":
        """Return the first descendant with that tag (and class), in the order of the text; None if there is
        none.
        """
        for child in self.children:
            if isinstance(child, str):
                continue
            if child.tag == tag and (cls is None or cls in child.classes):
                return child
            descendant = child.find(tag, cls)
            if descendant is not None:
                return descendant
        return None

    def text(self) -> str:
        """Return all text below."""
        parts: list[str] = []
        self._collect(parts)
        return "".join(parts)

    def _collect(self, parts: list[str]) -> None:
        for child in self.children:
            if isinstance(child, str):
                parts.append(child)
            else:
                child._collect(parts)


Content: TypeAlias = Element | str


def parse_tree(html: str) -> Element:
    """Return the root (tag "") over everything in `html`."""
    html, rest = _bounded(html)
    builder = _Builder()
    builder.feed(html)
    builder.close()
    if rest:
        builder.root.children.append(rest)
    return builder.root


def _bounded(html: str) -> tuple[str, str]:
    """Return (what to parse, plain text after it).

    Servers send no comments, declarations or processing instructions, and html.parser takes quadratic time
    over some unfinished ones; so they become text, and so does anything after the last complete tag.
    """
    if len(html) > MAX_CHARS:
        html = html[:MAX_CHARS] + CUT
    if "<!" in html or "<?" in html:
        html = html.replace("<!", "&lt;!").replace("<?", "&lt;?")
    end = html.rfind(">") + 1
    opened = html.find("<", end)
    return (html, "") if opened < 0 else (html[:opened], unescape(html[opened:]))


class _Builder(HTMLParser):
    """Collects the tree; tags that do not match are closed or ignored."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("")
        self._open = [self.root]
        self._too_deep = 0
        self._elements = 0

    def set_cdata_mode(self, elem: str, *, escapable: bool = False) -> None:
        """Disable raw text: a stray `<script>` must not swallow the rest of the message."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._elements += 1
        if self._elements > MAX_ELEMENTS:
            return
        void = tag in _VOID
        if len(self._open) > MAX_DEPTH and not void:
            self._too_deep += 1
            return
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(element)
        if not void:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _VOID:
            return
        if self._too_deep:
            self._too_deep -= 1
            return
        for i in range(len(self._open) - 1, 0, -1):
            if self._open[i].tag == tag:
                del self._open[i:]
                return

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)

    def handle_comment(self, data: str) -> None:
        self.handle_data(data)  # the content of an end tag without a name
