"""No column breaks, whatever people are called and write: emoji, wide and combining characters."""

from collections.abc import Sequence
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.color import Color
from textual.strip import Strip

from tests.unit.tui.widgets.test_message_rows import LOOK, READER
from tui.api.model import ChannelId, MessageId, UserId
from tui.content.nodes import Table, Text
from tui.content.sanitize import sanitize_line
from tui.narrow import TopicNarrow
from tui.view.overview import OverviewRow
from tui.view.people import PersonRow
from tui.view.rows import Chip, HeaderRow, MessageRow
from tui.view.sidebar_rows import RowKind, SidebarRow
from tui.widgets.content import draw
from tui.widgets.content_lines import Line, cells, line_cells
from tui.widgets.finished_parts import FinishedParts
from tui.widgets.message_rows import GUTTER, READING_WIDTH, draw_row
from tui.widgets.overview_list import draw_overview_row
from tui.widgets.sidebar_rows import draw_person_row, draw_sidebar_row

PIECES = [
    "a", "W", " ", "-", "é", "e\u0301", "\u0301", "日", "本", "한", "\u1112\u1161\u11ab", "ﷺ", "क्षि", "ก็", "𝕏",
    "❤", "❤️", "1️⃣", "👍🏽", "👩‍💻", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "🇩", "✅", "⚠️", "🫩", "\u200d", "\u200b", "\ufe0f",
    "\u202e", "שלום", "ﺍﻟ", "\t", "\x1b[31m", "…", "\U000e0067",
]  # fmt: skip
NAMES = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=30).map("".join), st.text(max_size=40)
).map(sanitize_line)
"""What the view gives to the widgets: any text, after the sanitizer."""

WIDTHS = st.integers(20, 140)
COUNTS = st.sampled_from([0, 1, 12, 999, 100_000])


def widths(strips: Sequence[Strip]) -> set[int]:
    """How wide lines are on the screen: as a whole, not the sum of what each segment claims."""
    cell_widths = set()
    for strip in strips:
        assert strip.cell_length == cells(strip.text), strip.text
        cell_widths.add(strip.cell_length)
    return cell_widths


def side(lines: Sequence[Line], width: int) -> list[Strip]:
    """The lines as a list at the side draws them."""
    parts, black = FinishedParts(), Color.parse("#000000")
    return parts.strips(lines, width, LOOK.base, LOOK.base.rich_style, (), black)


@given(
    name=NAMES,
    count=COUNTS,
    width=WIDTHS,
    kind=st.sampled_from(["section", "view", "channel", "topic", "direct", "more"]),
    flag=st.booleans(),
)
def test_a_line_of_the_sidebar_is_as_wide_as_the_sidebar(
    name: str, count: int, width: int, kind: RowKind, flag: bool
) -> None:
    """Its count stands in the same column as those above and below; it is as high as it says."""
    row = SidebarRow(
        kind=kind, target="inbox", label=name, mark="#", color="#e0a13b", count=count,
        mentions=count * flag, is_open=flag, is_followed=flag, presence="idle" if flag else None,
    )  # fmt: skip
    lines = draw_sidebar_row(row, width, LOOK)
    assert line_cells(lines[-1]) == width
    strips = side(lines, width)
    assert widths(strips) == {width}
    assert len(strips) == row.estimate(width)
    if count:
        assert strips[-1].text.rstrip().endswith("999+" if count > 999 else str(count))


@given(name=NAMES, status=NAMES, count=COUNTS, width=WIDTHS)
def test_a_line_of_the_people_is_as_wide_as_their_list(
    name: str, status: str, count: int, width: int
) -> None:
    """A status with emoji does not push anybody's count away; a row is as high as it says."""
    row = PersonRow(user_id=UserId(1), name=name, status=status, count=count)
    lines = draw_person_row(row, width, LOOK)
    assert {line_cells(line) for line in lines} == {width}
    strips = side(lines, width)
    assert widths(strips) == {width}
    assert len(strips) == row.estimate(width)


@given(place=NAMES, topic=NAMES, sender=NAMES, line=NAMES, count=COUNTS, width=st.integers(40, 140))
def test_a_conversation_at_a_glance_is_as_wide_as_the_list(
    place: str, topic: str, sender: str, line: str, count: int, width: int
) -> None:
    """Counts and times are columns."""
    row = OverviewRow(
        conversation=TopicNarrow(ChannelId(1), "t"), place=place, topic=topic, sender=sender,
        line=line, count=count, time="12:30", mentions=count // 2,
    )  # fmt: skip
    strips = draw_overview_row(row, width, LOOK)
    assert widths(strips) == {width}
    assert strips[0].text.endswith("12:30 ")


@pytest.mark.parametrize(
    ("mentions", "text"), [(0, "    24  12:30 "), (2, " @2 24  12:30 "), (24, "   @24  12:30 ")]
)
def test_mentions_are_counted_beside_what_is_unread(mentions: int, text: str) -> None:
    """`@24` for one mention among 24 messages would say that all of them are."""
    row = OverviewRow(
        conversation=TopicNarrow(ChannelId(1), "t"), place="#tea", topic="cups", count=24,
        mentions=mentions, time="12:30",
    )  # fmt: skip
    assert draw_overview_row(row, 80, LOOK)[0].text.endswith(text)


@given(
    rows=st.lists(st.lists(NAMES, min_size=3, max_size=3), min_size=1, max_size=4),
    width=st.integers(24, 120),
)
def test_the_columns_of_a_table_stay_under_each_other(rows: list[list[str]], width: int) -> None:
    """Every line of a table is as wide as the others."""
    parsed = tuple(tuple((Text(cell),) if cell else () for cell in row) for row in rows)
    table = Table(alignments=("left", "center", "right"), header=parsed[0], rows=parsed)
    strips = draw([table], width, LOOK.palette)
    assert max(widths(strips)) <= width
    columns = {tuple(_bars(strip.text)) for strip in strips if "│" in strip.text}
    if "│" not in "".join(map("".join, rows)):
        assert len(columns) <= 1, [strip.text for strip in strips]


def _bars(text: str) -> list[int]:
    return [cells(text[:at]) for at, char in enumerate(text) if char in "│┼"]


@given(name=NAMES, text=NAMES, chip=NAMES, width=st.integers(40, 200))
def test_the_message_under_the_cursor_is_a_clean_block(
    name: str, text: str, chip: str, width: int
) -> None:
    """Its background ends at the edge of the list, and its text is never longer than one reads well."""
    chips = tuple(
        Chip(emoji_name="x", emoji_code="1", reaction_type="unicode_emoji", text=chip, count=count, is_own=False)
        for count in (1, 20)
    )  # fmt: skip
    row = MessageRow(
        message_id=MessageId(1), sender_id=UserId(2), sender=name, note="", time="15:06",
        html=text, is_markdown=True, gap=False, chips=chips, marks=("edited",),
    )  # fmt: skip
    message = partial(draw_row, row, width, LOOK, READER)
    assert widths(message(selected=True)) == {width}
    assert max(widths(message(selected=False))) <= min(width, READING_WIDTH + GUTTER)


@given(place=NAMES, topic=NAMES, cut=st.integers(0, 9), width=st.integers(30, 200))
def test_a_heading_in_a_feed_is_a_band_from_edge_to_edge(
    place: str, topic: str, cut: int, width: int
) -> None:
    """The band under channel and topic has no ragged end."""
    row = HeaderRow(
        before=MessageId(1), conversation=TopicNarrow(ChannelId(1), "t"), place=place,
        topic=topic, color="#e0a13b", hits=(topic[cut : cut + 3], topic[cut + 4 :]),
    )  # fmt: skip
    assert widths(draw_row(row, width, LOOK, READER, selected=False)) == {width}
