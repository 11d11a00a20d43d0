"""Hostile text in every part of a message, down to the bytes that the terminal would get."""

import re
from html import escape

import pytest
from rich.console import Console
from textual.content import Content
from textual.strip import Strip

from tui.content.parse import parse
from tui.widgets.content import draw
from tui.widgets.content_palette import Palette

PALETTE = Palette.of_theme({"background": "#101010", "foreground": "#e0e0e0"})
CONSOLE = Console(force_terminal=True, color_system="truecolor", width=200)
OUR_OWN = re.compile(r"\x1b\[[0-9;]*m")
FORBIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]")

CANARIES = {
    "clipboard": "\x1b]52;c;aGFja2Vk\x07",
    "clear screen": "\x1b[2J",
    "8-bit CSI": "\x9b2J",
    "title": "\x1b]0;owned\x1b\\",
    "link": "\x1b]8;;https://evil.example\x1b\\x\x1b]8;;\x1b\\",
    "device control": "\x1bPq#0\x1b\\",
    "application command": "\x1b_Gf=100;AAAA\x1b\\",
    "unfinished": "\x1b]52;c;",
    "lone escape": "\x1b",
    "backspace": "user\b\b\b\badmin",
    "carriage return": "x\rsystem: hello",
    "bidi override": "\u202egpj.exe",
    "bidi isolate": "\u2066\u2067x\u2069",
    "line separator": "a\u2028b\u2029c",
    "NEL": "a\x85b",
}

PLACES = {
    "text": "<p>{}</p>",
    "strong": "<p><strong>{}</strong></p>",
    "inline code": "<p><code>{}</code></p>",
    "code block": '<div class="codehilite" data-code-language="{}"><pre><code>{}</code></pre></div>',
    "token": '<pre><span class="k">{}</span></pre>',
    "heading": "<h1>{}</h1>",
    "link text": '<p><a href="https://x.org">{}</a></p>',
    "link address": '<p><a href="https://x.org/{}"></a></p>',
    "mention": '<p><span class="user-mention" data-user-id="1">{}</span></p>',
    "emoji name": '<p><img class="emoji" alt=":{}:" src="/x"></p>',
    "emoji text": '<p><span class="emoji">{}</span></p>',
    "time": '<p><time datetime="{}">{}</time></p>',
    "formula": '<p><span class="katex"><annotation>{}</annotation></span></p>',
    "picture title": '<div class="message_inline_image"><a href="/x" title="{}"><img></a></div>',
    "picture address": '<div class="message_inline_image"><a href="/{}"><img></a></div>',
    "preview": '<div class="message_embed"><div class="message_embed_title"><a href="/x">{}</a>'
    '</div><div class="message_embed_description">{}</div></div>',
    "spoiler": '<div class="spoiler-block"><div class="spoiler-header"><p>{}</p></div>'
    '<div class="spoiler-content"><p>{}</p></div></div>',
    "table": "<table><tr><th>{}</th></tr><tr><td>{}</td></tr></table>",
    "list": "<ul><li>{}</li></ul>",
    "quote": "<blockquote><p>{}</p></blockquote>",
    "unknown": '<article class="{}"><kbd>{}</kbd></article>',
}


def _bytes(strips: list[Strip]) -> str:
    return "".join(OUR_OWN.sub("", strip.render(CONSOLE)) for strip in strips)


def _written(code: str) -> str:
    """The canary as HTML references, for the second way into a message."""
    return "".join(f"&#x{ord(char):x};" for char in code)


@pytest.mark.parametrize("place", PLACES)
def test_no_part_of_a_message_commands_the_terminal(place: str) -> None:
    """Wherever an attacker puts a control sequence, it is shown or dropped, never obeyed."""
    for canary in CANARIES.values():
        for written in (escape(canary), _written(canary)):
            html = PLACES[place].replace("{}", written)
            sent = _bytes(draw(parse(html), 200, PALETTE, revealed=frozenset({0})))
            assert not FORBIDDEN.search(sent)


def test_the_check_sees_what_it_looks_for() -> None:
    """Without the sanitizer Textual sends the attacker's sequence to the terminal."""
    segments = Content(CANARIES["clipboard"]).render_segments(PALETTE.base)
    assert FORBIDDEN.search(_bytes([Strip(segments)]))


def test_a_message_cannot_leave_its_lines() -> None:
    """No message draws over its neighbors: marks are capped and have a base of their own."""
    (strip,) = draw(parse("<p>\u0301" + "\u0489" * 10_000 + "</p>"), 80, PALETTE)
    assert strip.text.startswith("◌")
    assert len(strip.text) < 20
