"""Rows as lines: nothing is wider than the screen, and what can be clicked says so."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from textual.strip import Strip
from textual.theme import BUILTIN_THEMES

from tests.unit.tui.content.markup_strategy import soup
from tui import themes
from tui.api.model import LocalId, MessageId, UserId
from tui.narrow import DmNarrow
from tui.view.rows import (
    UNFOLDED,
    Chip,
    ConversationRow,
    DateRow,
    EchoRow,
    HeaderRow,
    MessageRow,
    UnreadRow,
)
from tui.widgets.content_inline import Reader
from tui.widgets.message_rows import draw_row
from tui.widgets.row_styles import RowStyles, look_of_theme

READER = Reader()


def _look(background: str = "background") -> RowStyles:
    variables = themes.DARK.to_color_system().generate()
    return look_of_theme({**variables, **themes.DARK.variables}, background)


LOOK = _look()


def _message(**fields: Any) -> MessageRow:
    given: dict[str, Any] = {
        "message_id": MessageId(1),
        "sender_id": UserId(2),
        "sender": "Mary",
        "note": "",
        "time": "15:06",
        "html": "<p>hello</p>",
        **fields,
    }
    return MessageRow(**given)


def _draw(row: ConversationRow, width: int = 60, *, selected: bool = False) -> list[Strip]:
    return draw_row(row, width, LOOK, READER, selected=selected)


def _texts(row: ConversationRow, *, selected: bool = False) -> list[str]:
    return [strip.text.rstrip() for strip in _draw(row, selected=selected)]


def _metas(strips: list[Strip], name: str) -> list[object]:
    return [
        s.style.meta[name] for strip in strips for s in strip if s.style and name in s.style.meta
    ]


THUMB = Chip(
    emoji_name="+1",
    emoji_code="1f44d",
    reaction_type="unicode_emoji",
    text="👍",
    count=2,
    is_own=True,
)


@given(
    html=soup,
    name=st.text(max_size=60),
    width=st.integers(40, 140),
    selected=st.booleans(),
    chips=st.lists(st.just(THUMB), max_size=12),
)
def test_no_line_is_wider_than_the_list(
    html: str, name: str, width: int, selected: bool, chips: list[Chip]
) -> None:
    """Whatever people write, from half a small terminal on."""
    rows: list[ConversationRow] = [
        _message(html=html, sender=name.replace("\n", " "), chips=tuple(chips), marks=("edited",)),
        EchoRow(
            local_id=LocalId("a"), sender_id=UserId(1), sender="Iris", time="15:06",
            text=name, state="failed", trouble="No.",
        ),
        DateRow(before=MessageId(1), text="Saturday 21 November 2026"),
        UnreadRow(count=12),
        HeaderRow(
            before=MessageId(1), conversation=DmNarrow(frozenset()), place=name, topic=html, color=""
        ),
    ]  # fmt: skip
    for row in rows:
        for strip in _draw(row, width, selected=selected):
            assert strip.cell_length <= width


def test_what_a_search_found_stands_out_in_the_topic() -> None:
    """Each part that was found, in its order; the letters around it are as ever."""
    row = HeaderRow(
        before=MessageId(1), conversation=DmNarrow(frozenset()), place="#tea", topic="hot, hotter",
        color="", hits=("hot", "hot"),
    )  # fmt: skip
    (line,) = [strip for strip in _draw(row, 60) if "hot" in strip.text]
    styles = {segment.text: segment.style for segment in line}
    assert [segment.text for segment in line if "h" in segment.text] == ["hot", "hot"]
    assert styles["hot"] != styles[", "]


def test_unread_and_mentions_are_told_by_signs() -> None:
    """Somebody who sees no colors still sees what is new and what is theirs."""
    assert _texts(_message(is_unread=True))[1].startswith(" • ")
    assert _texts(_message(is_unread=True, is_mention=True))[1].startswith(" @ ")
    assert _texts(_message())[1].startswith("   ")


def test_the_selected_message_has_a_bar_and_tells_its_time() -> None:
    """A message under another's name shows when it was written once one stands on it."""
    follows = _message(leads=False, gap=False)
    assert _texts(follows) == ["   hello"]
    assert _texts(follows, selected=True) == ["▌  hello  15:06"]


def test_a_me_message_reads_as_a_sentence() -> None:
    """The name takes the place of /me."""
    row = _message(html="<p>/me waves</p>", is_me=True)
    assert _texts(row)[-1] == "   Mary waves"


def test_a_message_that_was_not_sent_says_why_and_what_to_do() -> None:
    """Nothing that was written vanishes without a word."""
    row = EchoRow(
        local_id=LocalId("a"), sender_id=UserId(1), sender="Iris", time="15:06",
        text="hi", state="failed", trouble="The channel was archived.",
    )  # fmt: skip
    strips = _draw(row, 100)
    assert "not sent: The channel was archived." in strips[-1].text
    assert set(_metas(strips, "act")) == {"retry", "edit", "discard"}


def test_reactions_names_and_headers_can_be_clicked() -> None:
    """Every segment says what it stands for."""
    strips = _draw(_message(chips=(THUMB, THUMB)), selected=True)
    assert _metas(strips, "chip") == [0, 1]
    assert _metas(strips, "react") == [1]
    assert _metas(strips, "sender") == [2]


def test_names_can_be_read_in_every_theme() -> None:
    """The colors of people stand out from the background, light or dark."""
    for theme in (*themes.ALL, *BUILTIN_THEMES.values()):
        variables = {**theme.to_color_system().generate(), **theme.variables}
        look = look_of_theme(variables, "background")
        back = look.base.background
        if back is None:
            continue  # the terminal chooses its colors
        for style in look.people:
            assert style.foreground is not None
            assert abs(style.foreground.brightness - back.brightness) > 0.2, theme.name


LONG = "".join(f"<p>line {at}</p>" for at in range(40))  # 40 lines, and an empty one between each


def _fold(row: MessageRow, lines: int = 20) -> list[str]:
    strips = draw_row(row, 60, LOOK, READER, selected=False, fold=lines)
    return [strip.text.strip() for strip in strips]


def test_a_long_message_is_folded_and_says_how_much_is_hidden() -> None:
    """The first lines and one that leads to the others; a click on it is one on a fold."""
    lines = _fold(_message(html=LONG))
    assert lines[-1].split()[:5] == ["▸", "Show", "59", "more", "lines"]
    assert len(lines) == 20 + 3  # with an empty line, the name, and the fold
    strips = draw_row(_message(html=LONG), 60, LOOK, READER, selected=False, fold=20)
    assert _metas(strips, "fold") == [1, 1]


def test_an_unfolded_message_is_whole_and_can_be_folded_again() -> None:
    """Nothing of it is missing, and the line below it leads back."""
    lines = _fold(_message(html=LONG, revealed=frozenset({UNFOLDED})))
    assert "line 39" in lines
    assert lines[-1].startswith("▾ Show less")


def test_a_message_that_is_hardly_longer_is_not_folded() -> None:
    """A fold would hide less than it costs."""
    few = "".join(f"<p>line {at}</p>" for at in range(12))
    assert "more lines" not in _fold(_message(html=few))[-1]
    assert _fold(_message(html=LONG), 0)[-1] == "line 39"
