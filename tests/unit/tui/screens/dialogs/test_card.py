"""A card: labels stand apart from values, keys beside their labels, and the last line names the key for pages."""

from collections.abc import Sequence

import pytest

from tests.unit.tui.screens.dialogs.asking import asking
from tui.api.model import UserId
from tui.screens.dialogs.actions import ActionLine, DialogAction
from tui.screens.dialogs.card import Card, Section
from tui.view.cards import CardPart, Pair
from tui.widgets.card_body import CardBody
from tui.widgets.content_inline import Reader
from tui.widgets.hint_line import HintLine

LONG = "The name of a profile field, as an administrator wrote it"


async def _nothing() -> None:
    return


async def _parts() -> Sequence[CardPart]:
    return [
        Pair("Topic", "colors"),
        Pair("Your settings", "joined"),
        Pair(LONG, "tea"),
    ]


def _card(pages: int) -> Card:
    labels = [f"do something {at} to all of it" for at in range(9)]
    actions = [
        DialogAction(key=str(at), label=each, run=_nothing) for at, each in enumerate(labels)
    ]
    sections = [Section(name=f"Page {at}", load=_parts) for at in range(pages)]
    reader = Reader(user_id=UserId(1), group_ids=frozenset())
    return Card("Card", sections, reader=reader, actions=actions)


async def test_a_label_does_not_touch_its_value() -> None:
    """The column is as wide as the labels need; one that is longer has a line of its own."""
    card = _card(1)
    async with asking(card) as (_, pilot):
        await pilot.pause()
        lines = [line.rstrip() for line in card.query_one(CardBody).render().plain.split("\n")]
        assert lines == [
            "Topic          colors",
            "Your settings  joined",
            LONG,
            "               tea",
        ]


async def test_no_key_is_parted_from_what_it_does() -> None:
    """Each line begins with a key, and nothing is cut off."""
    card = _card(1)
    async with asking(card) as (_, pilot):
        await pilot.pause()
        shown = card.query_one(ActionLine)
        lines = [shown.render_line(y).text.strip() for y in range(shown.size.height)]
        assert [line.count("do something") for line in lines] == [2, 2, 2, 2, 1]
        assert [line.split()[0] for line in lines] == ["0", "2", "4", "6", "8"]


@pytest.mark.parametrize(("pages", "hints"), [(1, []), (2, [("Tab", "Next page")])])
async def test_the_last_line_names_the_key_for_other_pages(
    pages: int, hints: list[tuple[str, str]]
) -> None:
    """Only where there are any."""
    card = _card(pages)
    async with asking(card) as (_, pilot):
        await pilot.pause()
        assert card.query_one(HintLine).hints == [*hints, ("Esc", "Close")]
        await pilot.press("tab")
        assert card.at == pages - 1
