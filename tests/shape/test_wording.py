"""Sentences that people meet are plain English (docs/wording.md): what a program can check of it."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.shape.sources import ROOT, calls, modules, nodes

TICS = (
    r"somebody|nobody|everybody|anybody|whoever|who may|no longer or|or no longer",
    r"all the same|for good|from then on|it is said|it is known|is otherwise|are otherwise",
    r"(?:is|are|be|was|were) told|told of|tell so|says so|tells of",
    r"takes? (?:it|that|this|them) back|take back|taken back|bring it back|gives? up|given up",
    r"one can(?:not)?|which one|which ones|to be (?:told|heard|shown)|is (?:none|nobody)",
    r"any more|by itself|by themselves|one a line|left as it is|makes no sense|such as",
    r"what (?:is|was|they|others|people|waits|you write)|waits for its time",
)
"""Phrases for which English has a plain verb or an established noun; each is a whole word."""
BRITISH = r"\w*organis\w*|\w*colour\w*|spelt|cancelled|behaviour|favourites?"
"""Spellings that are not the API's and Textual's."""
REFUSED = re.compile(rf"\b(?:{'|'.join((*TICS, BRITISH))})\b", re.IGNORECASE)

ALLOWED = {
    "what others can see about you": "no noun says it as well",
    "Messages are written in Markdown": "the tour hides something, and asks what",
}
"""Beginnings of sentences that may hold such a phrase, with the reason."""
SPOKEN = {"server_lite/demo/script.py": "people of the example organization talk as they like"}
"""Modules whose sentences are not the product's."""
NOT_FOR_PEOPLE = re.compile(
    r"^[\w./-]*$|^\s*[\w>#.-]+ [\w>#., -]*\{|\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|JOIN)\b|"
    r"^[a-z]+(?:_[a-z]+)+"
)
"""Style sheets, SQL, identifiers: text of programs."""
INTERNAL = frozenset({"AssertionError", "RuntimeError", "assert_never", "TypeError", "ValueError"})
"""What is called with text for developers."""
PLAIN = ("CHANGELOG.md", "README.md", "SECURITY.md", "CONTRIBUTING.md", "docs")
"""Pages, and folders of pages, that are held to the phrases below."""
IN_PROSE = re.compile(
    rf"\b(?:{'|'.join((*TICS[:5], 'by itself|any more', BRITISH))})\b", re.IGNORECASE
)
"""The phrases that are refused in running text; "such as" and "what is" can be plain there."""
ABOUT_WORDS = {"wording.md", "api-coverage.md", "map.md"}
"""Pages that quote such phrases, and pages that are generated."""


def sentences(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of every string that may reach a person; a formatted one with `{}` for its values."""
    inner = set[int]()
    for node in nodes(tree):
        if isinstance(node, ast.Expr):  # a docstring, if it is a constant
            inner.add(id(node.value))
        elif isinstance(node, ast.Assert):
            inner |= {id(each) for each in ast.walk(node)}
    for call in calls(tree):
        if isinstance(call.func, ast.Name) and call.func.id in INTERNAL:
            inner |= {id(each) for each in ast.walk(call)}
    for node in nodes(tree):
        if id(node) in inner:
            continue
        if isinstance(node, ast.JoinedStr):
            inner |= {id(each) for each in node.values}
            parts = (each.value if isinstance(each, ast.Constant) else "{}" for each in node.values)
            text = "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if " " in text and not NOT_FOR_PEOPLE.search(text):
            yield node.lineno, text


@pytest.mark.parametrize("package", ["tui", "server_lite"])
def test_sentences_are_plain(package: str) -> None:
    """A person who reads the screen need not translate it."""
    refused = [
        f"{name}:{line}: “{tic[0]}” in {text!r}"
        for name, tree in modules(package)
        if name not in SPOKEN
        for line, text in sentences(tree)
        for tic in REFUSED.finditer(text)
        if not any(text.startswith(each) for each in ALLOWED)
    ]
    assert refused == []


@pytest.mark.parametrize("package", ["tui", "server_lite"])
def test_a_plural_is_a_word(package: str) -> None:
    """`counted(3, "message", "messages")`: other languages do not add an s, and English not always."""
    refused = [
        f"{name}:{node.lineno}"
        for name, tree in modules(package)
        for node in nodes(tree)
        if isinstance(node, ast.IfExp)
        and "s" in {getattr(each, "value", None) for each in (node.body, node.orelse)}
    ]
    assert refused == []


def test_pages_are_plain() -> None:
    """The guides, the changelog and the decisions read as the screens do."""
    files = [
        file
        for name in PLAIN
        for file in ([ROOT / name] if name.endswith(".md") else sorted((ROOT / name).rglob("*.md")))
        if file.name not in ABOUT_WORDS
    ]
    code = re.compile(r"```.*?```|`[^`]*`|\]\([^)]*\)", re.DOTALL)
    refused = [
        f"{file.name}: “{tic[0]}” in {text[max(0, tic.start() - 40) : tic.end() + 40]!r}"
        for file in files
        for text in [code.sub("", file.read_text("utf-8"))]
        for tic in IN_PROSE.finditer(text)
    ]
    assert refused == []
