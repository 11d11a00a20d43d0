"""Formulas in the HTML that clients expect: KaTeX's outline around the TeX source. Pure.

Nothing is typeset on the server. The source is in `<annotation>`, where every client looks for
it, and again as the visible text. `tex_mistakes` decides which formulas are errors.
"""

import re
from typing import Final

from server_lite.markup import html
from server_lite.markup.tex_mistakes import has_mistake

_BLANK_LINES: Final = re.compile(r"\n(?:[ \t]*\n)+")


def inline_formula(source: str) -> str:
    """Return `$$source$$` inside a line; an invalid formula is shown as typed."""
    return _tex_error(f"$${source}$$") if has_mistake(source) else _formula(source, {})


def formula_block(source: str) -> str:
    """Return the formulas of a ```math block, separated by blank lines, each on its own lines."""
    formulas = _BLANK_LINES.split(source.strip("\n"))
    return html.element("p", {}, "\n\n".join(_display(formula) for formula in formulas))


def _display(source: str) -> str:
    if has_mistake(source):
        return _tex_error(source)
    drawn = _formula(source, {"display": "block"})
    return html.element("span", {"class": "katex-display"}, drawn)


def _formula(source: str, display: html.Attributes) -> str:
    formula = html.literal(source.strip())
    annotation = html.element("annotation", {"encoding": "application/x-tex"}, formula)
    semantics = html.element("semantics", {}, f"<mrow><mtext>{formula}</mtext></mrow>{annotation}")
    namespace = {"xmlns": "http://www.w3.org/1998/Math/MathML", **display}
    math = html.element("math", namespace, semantics)
    return html.element(
        "span",
        {"class": "katex"},
        html.element("span", {"class": "katex-mathml"}, math)
        + html.element("span", {"class": "katex-html", "aria-hidden": "true"}, formula),
    )


def _tex_error(source: str) -> str:
    return html.element("span", {"class": "tex-error"}, html.literal(source))
