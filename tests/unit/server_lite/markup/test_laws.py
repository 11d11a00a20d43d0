"""Laws that hold for everything anybody can type: no error, no foreign tag, no lost word."""

import re
from html.parser import HTMLParser
from typing import Final
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st
from markdown_it.rules_block import StateBlock

from server_lite.markup import html
from server_lite.markup import render as render_module
from server_lite.markup.blocks import FIRST
from server_lite.markup.context import Context
from server_lite.markup.lookup import Settings
from server_lite.markup.parser import _markdown, parse
from server_lite.markup.previews import add_previews
from server_lite.markup.render import render
from server_lite.markup.rules import BLOCK_RULES
from server_lite.markup.text import _pieces, text_of
from tests.unit.server_lite.markup.organization import Organization
from tui.content.plain_words import html_of_words

ORGANIZATION = Organization()
WORDS: Final = st.sampled_from(
    [
        "Tea",
        "für",
        "x",
        "1.",
        "-",
        " ",
        "  ",
        "\u00a0",
        "\u2028",
        "\v",
        "\n",
        "\t",
        "&",
        "&lt;",
        "|",
        "'s",
        ".",
        "☕",
    ]
)
VOID: Final = {"br", "hr", "img"}
_TAGS: Final = """
    a annotation audio blockquote code del div em h1 h2 h3 h4 h5 h6 li math mrow mtext ol p pre
    semantics span strong table tbody td th thead time tr ul video
"""
_ATTRIBUTES: Final = """
    alt aria-hidden aria-label class controls data-animated data-code-language data-id
    data-original-content-type data-original-dimensions data-original-src data-stream-id
    data-user-group-id data-user-id datetime display encoding href preload role src start style title xmlns
"""
TAGS: Final = VOID | set(_TAGS.split())
ATTRIBUTES: Final = set(_ATTRIBUTES.split())
HREF: Final = re.compile(r"(?:https?://|ftp:|mailto:|tel:|sms:|#|/(?![/\\]))", re.IGNORECASE)
STYLE: Final = re.compile(r"text-align: (?:left|right|center);")

PIECES: Final = st.sampled_from(
    [
        *"*_~`$#>|-+:.!@<>[]()&\\\"' \n\t\u2028\u00a0\0",
        "**",
        "***",
        "~~",
        "```",
        "~~~",
        "$$",
        "](",
        "![",
        "\n\n",
        "\n> ",
        "\n- ",
        "\n  - ",
        "\n1. ",
        "\n|---|\n",
        "| a |",
        "    ",
        "```quote\n",
        "```spoiler a\n",
        "```math\n",
        "```py\n",
        "@**",
        "@_**",
        "@*",
        "#**",
        "Ada Lovelace",
        "general",
        ">lunch",
        "backend",
        "|7",
        ":smile:",
        "🐙",
        "👍🏽",
        "\u200d",
        "\ufe0f",
        "https://x.io/a.png",
        "javascript:",
        "JavaScript&colon;",
        "data:text/html,",
        "//evil.com",
        "/user_uploads/1/ab/cat.png",
        "<script>",
        "<img src=x onerror=y>",
        "<time:2030-01-01>",
        "<time:31 Dec 2017 3pm>",
        "<time:x>",
        ">\n",
        "#!python\n",
        ":::js\n",
        "~~~~ x ~~~~",
        "$$x^2$$",
        "$$\\error$$",
        "https://x.io/a.mp4",
        "https://youtu.be/dQw4w9WgXcQ",
        "(((((((((",
        "#12",
        "&amp;",
        "&#x3c;",
        "word",
        "é",
        "\ud800",
        "‮",
    ]
)
TYPED: Final = st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=80)


SENTENCES: Final = st.text("aZ09 ,!?'\"()/-.:", max_size=30) | st.lists(
    st.sampled_from(
        [*" .,!?-/():;_@#1", "e.g", "x.io", "www", "Tea", "me", ":)", "(:", "...", "1.", "<3"]
    ),
    max_size=12,
).map("".join)
"""What looks like a plain sentence, or nearly so."""


@given(SENTENCES, st.booleans())
def test_a_plain_sentence_is_what_the_parser_makes_of_it(content: str, emoticons: bool) -> None:
    """Most messages are one, and are not parsed."""
    settings = Settings(realm_url="https://chat.example.com", translate_emoticons=emoticons)
    lookup = Organization(settings, patterns=())
    at_once = render(content, lookup)
    with patch.object(render_module, "_SENTENCE", re.compile(r"(?!)")):
        assert render(content, lookup) == at_once
    assert text_of(at_once.html) == "".join(piece.text for piece in _pieces(at_once.html)).strip(
        "\n"
    )


class Reader(HTMLParser):
    """Reads HTML strictly: each tag allowed, each closed by its own."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.closed_all = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names)
        assert set(names) <= ATTRIBUTES, names
        for name, value in attrs:
            if name in {"href", "src", "data-original-src"}:
                assert HREF.match(value or ""), value
                assert not re.search(r"[\x00-\x20\x7f]", value or ""), value
            if name == "style":
                assert STYLE.fullmatch(value or ""), value
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(decl)

    def handle_pi(self, data: str) -> None:
        raise AssertionError(data)


def read(html: str) -> None:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open


@given(TYPED)
def test_nothing_typed_breaks_out_of_the_allowed_html(source: str) -> None:
    """No message can make a tag, an attribute or a link target that is not on the list."""
    read(render(source, ORGANIZATION).html)


@given(st.sampled_from(["[a](%s)", "%s", "<%s>", "![a](%s)", "[](%s)"]), TYPED)
def test_no_hostile_target_becomes_a_link(form: str, target: str) -> None:
    """Whatever stands in the place of an address, it leads to the web, a mail or this server."""
    read(render(form % target, ORGANIZATION).html)


# Cells beyond the columns of a table are the one thing that is left out on purpose.
@given(st.lists(PIECES.filter(lambda piece: "|---|" not in piece), max_size=30))
def test_no_word_is_lost(pieces: list[str]) -> None:
    """Every word that was typed can be read, in its order, whatever signs stand between."""
    source = "".join(f"{piece} word{number} " for number, piece in enumerate(pieces))
    html = render(source, ORGANIZATION).html
    # The rest of the line of a code fence names the language; it is no part of the code.
    hidden = set(re.findall(r"(?:```|~~~)[^`\n]*", source))
    attributes = re.findall(r'(?:href|alt|title|language)="([^"]*)"', html)
    shown = " ".join([text_of(html), *attributes])
    for number in range(len(pieces)):
        word = f"word{number}"
        assert re.search(rf"{word}(?!\d)", shown) or any(word in line for line in hidden), word


@given(st.lists(WORDS, max_size=8).map("".join))
def test_a_plain_line_is_what_the_parser_makes_of_it(source: str) -> None:
    """Most messages are one line without signs, and are written without the parser."""
    context = Context(ORGANIZATION)
    tokens = add_previews(parse(source, context), context)
    assert render(source, ORGANIZATION).html == html.blocks(tokens)


@given(st.lists(st.text(st.characters(categories=["L"]), min_size=1), min_size=1).map(" ".join))
def test_words_are_what_the_client_makes_of_them(source: str) -> None:
    """It shows a preview of mere words without a request."""
    assert html_of_words(source) in (render(source, Organization()).html, None)


@given(TYPED)
def test_the_same_message_looks_the_same_twice(source: str) -> None:
    """Nothing of one message leaks into the next."""
    assert render(source, ORGANIZATION) == render(source, Organization())


def test_a_block_begins_with_its_characters_only() -> None:
    """Rules are chosen by the first character of a line; no other one would have been taken by them."""
    markdown, env = _markdown(), Context(ORGANIZATION).env()
    rules = dict(BLOCK_RULES)
    for name, begins in FIRST.items():
        for first in {*map(chr, range(33, 127)), "é", "١", "＊", "\u200b"} - set(begins):
            for rest in ("", " a", ". a", first * 2, f"{first * 2} a", "``", "~~", "> a", "# a"):
                state = StateBlock(f"{first}{rest}\nb\n", markdown, env, [])
                assert not rules[name](state, 0, state.lineMax, True), (name, first + rest)
