"""Messages on the screen: what a reader sees of every kind of content, at every width."""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from textual.strip import Strip
from textual.theme import BUILTIN_THEMES

from tests.call_counter import calls
from tests.unit.tui.content.markup_strategy import soup
from tui.api.model import UserGroupId, UserId
from tui.content.parse import parse
from tui.widgets.content import draw, draw_content
from tui.widgets.content_inline import Reader
from tui.widgets.content_lines import cells
from tui.widgets.content_palette import Palette

FIXTURES = Path(__file__).parents[3] / "content" / "html"
VARIABLES = {
    "background": "#121212",
    "foreground": "#e0e0e0",
    "primary": "#0178d4",
    "warning": "#fea62b",
    "text-primary": "#57a5e2",
    "text-accent": "#ffc473",
    "text-success": "#8ad4a1",
    "text-warning": "#ffc473",
    "text-error": "#d17e92",
}
PALETTE = Palette.of_theme(VARIABLES)
READER = Reader(
    user_id=UserId(7),
    group_ids=frozenset({UserGroupId(3)}),
    zone=timezone(timedelta(hours=1)),
)
CASE = re.compile(r"^## (.+)\n((?:.*\n)+?)-- (\d+)( open)?\n((?:(?!## ).*\n?)*)", re.MULTILINE)


def _cases() -> Iterator[object]:
    for path in sorted(FIXTURES.glob("*.txt")):
        for name, html, width, opened, lines in CASE.findall(path.read_text()):
            expected = lines.rstrip("\n").split("\n")
            yield pytest.param(html, int(width), bool(opened), expected, id=f"{path.stem}: {name}")


def _texts(strips: Sequence[Strip]) -> list[str]:
    return [strip.text.rstrip() for strip in strips]


def _segment(strips: Sequence[Strip], text: str) -> Segment:
    return next(segment for strip in strips for segment in strip if text in segment.text)


def _meta(strips: Sequence[Strip], text: str) -> dict[str, object]:
    style = _segment(strips, text).style
    assert style is not None
    return style.meta


@pytest.mark.parametrize(("html", "width", "opened", "expected"), _cases())
def test_every_kind_of_content_is_readable(
    html: str, width: int, opened: bool, expected: list[str]
) -> None:
    """A message looks as its author meant it."""
    revealed = frozenset({0}) if opened else frozenset[int]()
    strips = draw(parse(html), width, PALETTE, reader=READER, revealed=revealed)
    assert _texts(strips) == expected
    assert all(strip.cell_length <= width for strip in strips)


@settings(max_examples=60, deadline=None)
@given(soup, st.integers(2, 60))
def test_no_line_is_wider_than_its_place(html: str, width: int) -> None:
    """Nothing that people write breaks out of the message list."""
    for strip in draw(parse(html), width, PALETTE, revealed=frozenset(range(9))):
        assert strip.cell_length <= width


@settings(max_examples=60, deadline=None)
@given(st.text(st.sampled_from("ab 日、👩‍💻é\u0301ක්\u200dර👍🏽❤️"), max_size=60), st.integers(2, 20))
@example("ක්\u200dරක්\u200dරක්\u200dර ", 6)
@example("ක්\u200d日", 2)
def test_wrapping_loses_nothing_but_spaces(text: str, width: int) -> None:
    """Every word of a message is there at every width."""
    nodes = parse(f"<p>x{text}x</p>")
    whole = "".join(draw(nodes, 500, PALETTE)[0].text.split())
    strips = draw(nodes, width, PALETTE)
    assert all(strip.cell_length <= width for strip in strips)
    lines = _texts(strips)
    assert all(lines)
    assert "".join("".join(lines).split()) == whole


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.text(st.sampled_from("ab日👩🏽‍💻 ශ්\u200dරී"), max_size=12), min_size=4, max_size=4)
)
def test_table_borders_stay_in_line(texts: list[str]) -> None:
    """Wide letters and emoji do not push the columns of a table about."""
    first, second, third, fourth = texts
    nodes = parse(
        f"<table><thead><tr><th>{first}</th><th>{second}</th></tr></thead>"
        f"<tbody><tr><td>{third}</td><td>{fourth}</td></tr></tbody></table>"
    )
    borders = {cells(re.split("[│┼]", strip.text)[0]) for strip in draw(nodes, 40, PALETTE)}
    assert len(borders) == 1


def test_joined_letters_are_measured_as_terminals_do() -> None:
    """A line of Sinhala or Malayalam is as wide as the screen shows it."""
    text = "ශ්\u200dරී അവന്\u200d x"
    (strip,) = draw(parse(f"<p>{text}</p>"), 60, PALETTE)
    assert strip.text == text
    assert strip.cell_length == cell_len(text.replace("\u200d", ""))


def test_rows_of_a_table_are_copied_apart() -> None:
    """Every cell and what follows the table has lines of its own when text is selected."""
    html = "<table><tr><td>a</td><td>b</td></tr><tr><td></td><td>c</td></tr></table><p>d</p>"
    strips = draw(parse(html), 60, PALETTE)
    places = [_meta(strips, text)["offset"] for text in "abcd"]
    assert len(set(places)) == 4


def test_markup_in_text_is_text() -> None:
    """A message with square brackets shows them, and a click on it does nothing."""
    hostile = "[@click=app.quit]hi[/] [red]x[/ [TODO] $(x) [$text] [link=evil]y"
    strips = draw(parse(f"<p>{hostile}</p>"), 90, PALETTE)
    assert strips[0].text == hostile
    assert _meta(strips, "click") == {"offset": (0, 0)}


def test_links_mentions_and_spoilers_can_be_clicked() -> None:
    """A click says which link, person, group, code or spoiler it hit."""
    html = (
        '<div class="spoiler-block"><div class="spoiler-header"><p>head</p></div>'
        '<div class="spoiler-content"><p><a href="https://hidden">h</a></p><pre>a</pre>'
        '<div class="spoiler-block"><div class="spoiler-header"></div>'
        '<div class="spoiler-content"></div></div></div></div>'
        '<div class="spoiler-block"><div class="spoiler-header"><p>second</p></div>'
        '<div class="spoiler-content"><p>x</p></div></div>'
        '<p><a href="https://x.org">site</a> <span class="user-mention" data-user-id="12">@P</span>'
        ' <span class="user-group-mention" data-user-group-id="4">@G</span></p><pre>code</pre>'
    )
    strips = draw(parse(html), 60, PALETTE)
    assert _meta(strips, "head")["spoiler"] == 0
    assert _meta(strips, "second")["spoiler"] == 2  # one is within the first
    assert _meta(strips, "site")["link"] == 1  # the hidden one keeps its number
    assert _meta(strips, "@P")["user"] == 12
    assert _meta(strips, "@G")["group"] == 4
    assert _meta(strips, "code")["code"] == 1


def test_mentions_of_the_reader_stand_out() -> None:
    """My own name, my groups and @all look different from others' names."""
    html = (
        '<p><span class="user-mention" data-user-id="7">@me</span> '
        '<span class="user-mention" data-user-id="8">@you</span> '
        '<span class="user-group-mention" data-user-group-id="3">@mine</span> '
        '<span class="user-mention" data-user-id="*">@all</span> '
        '<span class="user-mention silent" data-user-id="7">quiet</span></p>'
    )
    strips = draw(parse(html), 60, PALETTE, reader=READER)
    of_reader = PALETTE.mention_of_reader.rich_style.bgcolor
    of_reader_by_name = {}
    for name in ("@me", "@you", "@mine", "@all", "quiet"):
        style = _segment(strips, name).style
        of_reader_by_name[name] = style is not None and style.bgcolor == of_reader
    assert of_reader_by_name == {
        "@me": True,
        "@you": False,
        "@mine": True,
        "@all": True,
        "quiet": False,
    }


def test_code_is_tinted_over_its_whole_width() -> None:
    """A block of code is one rectangle, whatever the length of its lines."""
    strips = draw(parse("<pre>a\n\nlonger line</pre>"), 30, PALETTE)
    tint = PALETTE.code.rich_style.bgcolor
    assert [strip.cell_length for strip in strips] == [30, 30, 30]
    assert all(segment.style and segment.style.bgcolor == tint for s in strips for segment in s)


def test_keywords_of_code_have_their_own_color() -> None:
    """Code is highlighted."""
    html = '<div class="codehilite"><pre><code><span class="kd">var</span> b</code></pre></div>'
    strips = draw(parse(html), 30, PALETTE)
    keyword, plain = _segment(strips, "var").style, _segment(strips, "b").style
    assert keyword is not None
    assert plain is not None
    assert keyword.color != plain.color


def test_selected_text_knows_where_it_is() -> None:
    """Copying a wrapped quote gives its words, without bars, and joins the wrapped lines."""
    strips = draw(parse("<blockquote><p>one two three<br>four</p></blockquote>"), 14, PALETTE)
    places = [
        (segment.text, segment.style.meta.get("offset"))
        for strip in strips
        for segment in strip
        if segment.style is not None
    ]
    assert places == [
        ("▌ ", None),
        ("one two", (0, 0)),
        ("▌ ", None),
        ("three", (8, 0)),
        ("▌ ", None),
        ("four", (0, 1)),
    ]


def test_content_for_other_widgets_says_the_same() -> None:
    """A preview shows what the message list will show."""
    nodes = parse("<p>a <strong>b</strong></p><blockquote><p>c</p></blockquote>")
    strips = draw(nodes, 30, PALETTE)
    assert draw_content(nodes, 30, PALETTE).plain.split("\n") == [strip.text for strip in strips]


@pytest.mark.parametrize("hour", [False, True])
def test_times_follow_the_clock_of_the_reader(hour: bool) -> None:
    """Twelve or twenty-four hours, as the reader has set it."""
    reader = Reader(zone=timezone(timedelta(hours=-5)), twelve_hour=hour)
    nodes = parse('<p><time datetime="2030-01-31T18:05:00Z">x</time></p>')
    shown = draw(nodes, 60, PALETTE, reader=reader)[0].text
    assert shown == ("Thu 31 Jan 2030, 1:05 PM" if hour else "Thu 31 Jan 2030, 13:05")


def test_a_time_at_the_end_of_the_calendar_is_shown() -> None:
    """A time that my zone cannot express does not break the message."""
    nodes = parse('<p><time datetime="0001-01-01T00:00:00Z">x</time></p>')
    reader = Reader(zone=timezone(timedelta(hours=-5)))
    assert draw(nodes, 60, PALETTE, reader=reader)[0].text == "Mon 1 Jan 1, 00:00"


@pytest.mark.parametrize("name", sorted(BUILTIN_THEMES))
def test_every_theme_tells_the_parts_of_a_message_apart(name: str) -> None:
    """No theme makes faint text invisible, or hides that I was mentioned."""
    palette = Palette.of_theme(BUILTIN_THEMES[name].to_color_system().generate())
    base, faint, mine = palette.base, palette.muted, palette.base + palette.mention_of_reader
    assert base.background is not None
    assert faint.foreground is not None
    assert palette.mistake.underline
    if base.background.ansi is None:
        assert abs(base.background.brightness - faint.foreground.brightness) > 0.15
        assert mine.background != base.background
    else:
        assert faint.dim
        assert mine.reverse


def test_a_long_message_costs_its_length() -> None:
    """Twice as many words are twice as much work, so that none makes the list stutter."""

    def drawing(words: int) -> int:
        nodes = parse("<p>" + "some <strong>words</strong> of text " * words + "</p>")
        draw(nodes, 90, PALETTE)
        return calls(lambda: draw(nodes, 90, PALETTE))

    once = drawing(100)
    assert drawing(200) <= 2.2 * once
    assert once < 100 * 100, "calls for a hundred times four words"
