"""The list's layout keeps the reader's place: what is on screen moves by exactly what was asked."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from tui.widgets.list_layout import ListLayout


@dataclass(frozen=True, kw_only=True)
class Row:
    """An item of known true height; its estimate is wrong most of the time."""

    key: int
    cells: int = 100
    revision: int = 0
    selectable: bool = True

    def estimate(self, width: int) -> int:
        """Wrong on purpose."""
        return 1 + 30 // width

    def height(self, width: int) -> int:
        """The truth."""
        return max(1, self.cells // width)


Line = tuple[int | str, int]


@dataclass
class Reader:
    """A layout, and beside it the truth: every line of the list, and which one is on top."""

    items: list[Row] = field(default_factory=list)
    fresh: int = 0
    layout: ListLayout[Row] = field(init=False)

    def __post_init__(self) -> None:
        self.layout = ListLayout(lambda row: row.height(self.layout.width))
        self.layout.resize(20, 12)

    def new(self, cells: list[int]) -> list[Row]:
        """Items that were never there before; every fourth is a separator."""
        self.fresh += len(cells)
        first = self.fresh - len(cells)
        return [
            Row(key=first + n, cells=c, selectable=(first + n) % 4 != 0)
            for n, c in enumerate(cells)
        ]

    def lines(self) -> list[Line]:
        """The whole list, line by line."""
        body: list[Line] = [
            (row.key, n) for row in self.items for n in range(row.height(self.layout.width))
        ]
        above: list[Line] = [("above", 0)] * self.layout.head
        below: list[Line] = [("below", 0)] * self.layout.foot
        return above + body + below if self.items else []

    def screen(self) -> list[Line]:
        """What the layout shows, line by line."""
        layout = self.layout
        if not layout.items:
            return []
        shown: list[Line] = [("above", 0)] * max(0, -layout.line)
        for placed in layout.visible():
            first, last = max(0, -placed.row), min(placed.height, layout.height - placed.row)
            shown += [(layout.items[placed.at].key, n) for n in range(first, last)]
        if layout.at_end:
            shown += [("below", 0)] * layout.foot
        return shown[: layout.height]

    def last_top(self) -> int:
        """The lowest place of the screen."""
        return max(0, len(self.lines()) - self.layout.height)

    def expect(self, top: int) -> None:
        """The screen must begin at that line of the list, as far as the ends allow."""
        top = max(0, min(top, self.last_top()))
        assert self.screen() == self.lines()[top : top + self.layout.height]
        assert self.layout.at_end == (top == self.last_top())
        assert (self.layout.y == 0) == (top == 0)

    @property
    def top(self) -> int:
        """Which line of the list is on top of the screen."""
        shown = self.screen()
        return self.lines().index(shown[0]) if shown else 0

    def place_of(self, key: int) -> int:
        """The line of the list where an item begins."""
        return self.lines().index((key, 0))

    def open(self, cells: list[int], at: int, row: int) -> None:
        """Jump to another part of the history."""
        self.items = self.new(cells)
        self.layout.open(self.items)
        self.layout.to_end()
        self.expect(self.last_top())
        if self.items:
            self.jump(at, row)

    def jump(self, at: int, row: int) -> None:
        """Have an item on a row of the screen."""
        index = at % len(self.items)
        self.layout.place(index, row)
        self.expect(self.place_of(self.items[index].key) - row)

    def scroll(self, lines: int) -> None:
        """Move by exactly so many lines."""
        top = self.top
        self.layout.move(lines)
        self.expect(top + lines)

    def update(self, items: list[Row], renamed: Mapping[Hashable, int] | None = None) -> None:
        """Take other items; whoever is at the bottom stays there, all others keep their place."""
        names = renamed or {}
        following = self.layout.following
        before, old_items, top = self.screen(), self.items, self.top
        old_starts = {row.key: self.place_of(row.key) - top for row in old_items}
        self.items = items
        self.layout.update(items, names)
        if following or not items:
            self.expect(self.last_top())
            return
        kept = {row.key: row for row in items}
        shown = [row for row in old_items if any(line[0] == row.key for line in before)]
        alive = [row for row in shown if names.get(row.key, row.key) in kept]
        held = next((row for row in alive if row.selectable), alive[0] if alive else None)
        if held is not None:
            key = names.get(held.key, held.key)
            last_line = kept[key].height(self.layout.width) - 1
            self.expect(self.place_of(key) - max(old_starts[held.key], -last_line))
            return
        later = old_items[old_items.index(shown[-1]) + 1 :] if shown else []
        following_keys = [names.get(row.key, row.key) for row in later]
        survivor = next((key for key in following_keys if key in kept), None)
        self.expect(self.last_top() if survivor is None else self.place_of(survivor))

    def resize(self, width: int, height: int) -> None:
        """Another size: the top item stays, or the end does."""
        following, top_line = self.layout.following, self.screen()[:1]
        self.layout.resize(width, height)
        if following or not top_line or self.top == self.last_top():
            self.expect(self.last_top())
        else:
            self.expect(self.top)
            assert self.screen()[0][0] == top_line[0][0]

    def set_ends(self, above: bool, below: bool) -> None:
        """More to load at the ends, or no more; markers take a line each."""
        following, top = self.layout.following, self.top
        top += int(above) - self.layout.head
        self.layout.set_ends(more_above=above, more_below=below, head=above, foot=below)
        if self.items:
            self.expect(self.last_top() if following else top)


CELLS = st.integers(0, 400)
SOME = st.lists(CELLS, min_size=1, max_size=8)
ANY = st.integers(0, 10_000)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("scroll"), st.integers(-60, 60)),
        st.tuples(st.just("prepend"), SOME),
        st.tuples(st.just("append"), SOME),
        st.tuples(st.just("insert"), ANY, SOME),
        st.tuples(st.just("delete"), ANY, st.integers(1, 12)),
        st.tuples(st.just("delete_top"), st.integers(1, 3)),
        st.tuples(st.just("carry"), ANY, ANY),
        st.tuples(st.just("echo"), ANY),
        st.tuples(st.just("edit"), ANY, CELLS),
        st.tuples(st.just("edit_top"), CELLS),
        st.tuples(st.just("resize"), st.integers(5, 60), st.integers(2, 30)),
        st.tuples(st.just("jump"), ANY, st.integers(-5, 10)),
        st.tuples(st.just("open"), SOME, ANY, st.integers(-5, 10)),
        st.tuples(st.just("ends"), st.booleans(), st.booleans()),
    ),
    max_size=14,
)


def play(reader: Reader, step: tuple[object, ...]) -> None:
    """One step; `Reader` asserts what it must do to the screen."""
    items = list(reader.items)
    size = len(items)
    top = min(reader.layout.top, size - 1)
    match step:
        case ("scroll", int(lines)):
            reader.scroll(lines)
        case ("prepend", list(cells)):
            reader.update(reader.new(cells) + items)
        case ("append", list(cells)):
            reader.update(items + reader.new(cells))
        case ("insert", int(at), list(cells)):
            cut = at % (size + 1)
            reader.update(items[:cut] + reader.new(cells) + items[cut:])
        case ("delete", int(at), int(count)) if size:
            cut = at % size
            reader.update(items[:cut] + items[cut + count :])
        case ("delete_top", int(count)) if size:
            reader.update(items[:top] + items[top + count :])
        case ("carry", int(at), int(to)) if size:
            row = items.pop(at % size)
            items.insert(to % size, row)
            reader.update(items)
        case ("echo", int(at)) if size:
            old = items[at % size]
            reader.fresh += 1
            items[at % size] = replace(old, key=reader.fresh - 1)
            reader.update(items, {old.key: reader.fresh - 1})
        case ("edit", int(at), int(cells)) if size:
            row = items[at % size]
            items[at % size] = replace(row, cells=cells, revision=row.revision + 1)
            reader.update(items)
        case ("edit_top", int(cells)) if size:
            items[top] = replace(items[top], cells=cells, revision=items[top].revision + 1)
            reader.update(items)
        case ("resize", int(width), int(height)):
            reader.resize(width, height)
        case ("jump", int(at), int(row)) if size:
            reader.jump(at, row)
        case ("open", list(cells), int(at), int(row)):
            reader.open(cells, at, row)
        case ("ends", bool(above), bool(below)):
            reader.set_ends(above, below)


@settings(max_examples=150, deadline=None)
@given(st.lists(CELLS, max_size=40), ANY, st.integers(-5, 10), STEPS)
def test_the_readers_place_is_kept(
    cells: list[int], at: int, row: int, steps: list[tuple[object, ...]]
) -> None:
    """Whatever arrives, goes or changes, the lines I read stay where they are."""
    reader = Reader()
    reader.open(cells, at, row)
    for step in steps:
        play(reader, step)


@settings(max_examples=30, deadline=None)
@given(st.lists(CELLS, min_size=1, max_size=60), st.data())
def test_the_scrollbar_reaches_both_ends(cells: list[int], data: st.DataObject) -> None:
    """Dragging the scrollbar to an end shows that end, and in between something near."""
    reader = Reader()
    reader.open(cells, 0, 0)
    layout = reader.layout
    layout.to_line(layout.lines)
    reader.expect(reader.last_top())
    layout.to_line(data.draw(st.integers(0, layout.lines)))
    reader.expect(reader.top)
    layout.to_line(0)
    reader.expect(0)


def test_what_came_below_is_counted_until_it_is_seen() -> None:
    """Reading history, I am told how many messages came below, and no more once I saw them."""
    reader = Reader()
    reader.open([100] * 20, 0, 0)
    reader.update(reader.items + reader.new([100, 100, 100, 100]))  # one is a separator
    assert reader.layout.below == 3
    reader.update(reader.new([100] * 5) + reader.items)
    assert reader.layout.below == 3
    reader.update([row for row in reader.items if row.key != 22])
    assert reader.layout.below == 2
    reader.layout.to_end()
    assert reader.layout.below == 0


def test_a_page_fetched_below_is_not_new() -> None:
    """Loading the rest of an old conversation announces nothing as new."""
    reader = Reader()
    reader.open([100] * 20, 0, 0)
    reader.set_ends(above=False, below=True)
    reader.update(reader.items + reader.new([100] * 8))
    assert reader.layout.below == 0


def test_only_what_is_shown_is_measured() -> None:
    """Opening a long conversation draws a screen of it, not all."""
    reader = Reader()
    measured: list[int] = []

    def measure(row: Row) -> int:
        measured.append(row.key)
        return row.height(20)

    reader.layout = ListLayout(measure)
    reader.layout.resize(20, 12)
    reader.layout.open(reader.new([100] * 5000))
    reader.layout.to_end()
    reader.layout.move(-30)
    assert len(set(measured)) < 15


def test_a_list_of_places_begins_at_its_top_and_stays_there() -> None:
    """In a small terminal the inbox is seen at start, however many channels are below it."""
    layout = ListLayout[Row](lambda row: row.height(20), follows_end=False)
    layout.resize(20, 5)
    rows = [Row(key=key, cells=20) for key in range(9)]
    layout.update(rows)
    assert (layout.top, layout.line) == (0, 0)
    layout.to_end()
    layout.update([*rows, Row(key=9, cells=20)])
    assert layout.top == 4
