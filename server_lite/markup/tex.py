"""Formulas as clients of this ecosystem expect them: KaTeX's outline around the TeX source. Pure.

Nothing is typeset on the server. The source stands in `<annotation>`, where every client looks for
it, and once more as the visible text.
"""

import re
from typing import Final

from server_lite.markup import html

_BRACE: Final = re.compile(r"\\.|[{}]")


def is_balanced(source: str) -> bool:
    """Whether the braces of the source match, the one mistake that can be told without TeX."""
    depth = 0
    for match in _BRACE.finditer(source):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth < 0:
            return False
    return depth == 0


def formula(source: str) -> str:
    """A formula inside a line."""
    words = html.literal(source.strip())
    annotation = html.element("annotation", {"encoding": "application/x-tex"}, words)
    semantics = html.element("semantics", {}, f"<mrow><mtext>{words}</mtext></mrow>{annotation}")
    namespace = {"xmlns": "http://www.w3.org/1998/Math/MathML"}
    math = html.element("math", namespace, semantics)
    return html.element(
        "span",
        {"class": "katex"},
        html.element("span", {"class": "katex-mathml"}, math)
        + html.element("span", {"class": "katex-html", "aria-hidden": "true"}, words),
    )


def display(source: str) -> str:
    """A formula on lines of its own."""
    if not is_balanced(source):
        return tex_error(source)
    return html.element("span", {"class": "katex-display"}, formula(source))


def tex_error(source: str) -> str:
    """TeX that cannot be right, shown as typed."""
    return html.element("span", {"class": "tex-error"}, html.literal(source))
