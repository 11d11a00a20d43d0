"""Pictures of the main screen: what people look at all day must not change by accident."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.snapshot import example
from tests.snapshot.app import LIVE, ExampleApp, at
from tui.api.model import ChannelId
from tui.narrow import Starred, TopicNarrow
from tui.sync.status import Connecting, Retrying

COLORS = TopicNarrow(ChannelId(9), "colors")
SMALL, LARGE = (80, 24), (160, 45)


def test_a_topic_in_a_small_terminal(snap_compare: Any, tmp_path: Path) -> None:
    """At 80x24 the conversation, the sidebar and the composer all have room."""
    app = ExampleApp(tmp_path, known=example.store(), status=LIVE)
    assert snap_compare(app, terminal_size=SMALL, run_before=at(COLORS))


def test_a_topic_in_a_large_terminal(snap_compare: Any, tmp_path: Path) -> None:
    """At 160x45 people are shown, and lines stay short enough to read."""
    app = ExampleApp(tmp_path, known=example.store(), status=LIVE)
    assert snap_compare(app, terminal_size=LARGE, run_before=at(COLORS))


def test_everything_in_one_feed_in_light_colors(snap_compare: Any, tmp_path: Path) -> None:
    """The combined feed says above each run of messages where it was said."""
    app = ExampleApp(tmp_path, known=example.store(), status=LIVE, theme="chinwag-light")
    assert snap_compare(app, terminal_size=LARGE, run_before=at(None))


def test_the_cursor_on_a_message_and_its_keys(snap_compare: Any, tmp_path: Path) -> None:
    """The selected message is marked by a bar as well as by color."""
    app = ExampleApp(tmp_path, known=example.store(), status=LIVE)
    assert snap_compare(app, terminal_size=SMALL, run_before=at(COLORS, "k", "k"))


def test_jumping(snap_compare: Any, tmp_path: Path) -> None:
    """Ctrl+K finds places by a few of their letters."""
    app = ExampleApp(tmp_path, known=example.store(), status=LIVE)
    assert snap_compare(app, terminal_size=SMALL, run_before=at(COLORS, "ctrl+k", "t", "y", "p"))


def test_nothing_starred_yet(snap_compare: Any, tmp_path: Path) -> None:
    """An empty view says in one sentence what would be there."""
    known = example.store()
    example.load_empty(known, Starred())
    app = ExampleApp(tmp_path, known=known, status=LIVE)
    assert snap_compare(app, terminal_size=SMALL, run_before=at(Starred()))


def test_before_the_first_answer(snap_compare: Any, tmp_path: Path) -> None:
    """A client that knows nothing yet says what it waits for."""
    app = ExampleApp(tmp_path, known=None, status=Connecting())
    assert snap_compare(app, terminal_size=SMALL, run_before=at(None))


def test_without_a_network(
    snap_compare: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is known stays readable, and the title says when the next attempt is."""
    stands_still = SimpleNamespace(monotonic=lambda: 0.0)  # a busy machine takes a second
    monkeypatch.setattr("tui.screens.chat_panels.time", stands_still)
    status = Retrying(7.0, 5, "Nothing listens there.")
    app = ExampleApp(tmp_path, known=example.store(), status=status)
    assert snap_compare(app, terminal_size=SMALL, run_before=at(COLORS))
