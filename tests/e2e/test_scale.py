"""5,000 people, 500 channels, 10,000 topics, 50,000 unread: what a key costs does not grow with them. Counted."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.strip import Strip
from textual.widgets import Input

from tests.call_counter import calls
from tests.e2e.client import idle, playing
from tests.large_organization import SCALE, large
from tui.frames import FrameCompositor
from tui.screens.account_controller import AccountController
from tui.screens.dialogs.chooser import Chooser
from tui.screens.news import StoreChanged
from tui.screens.topic_lists import MOST
from tui.view import fuzzy, jump_targets
from tui.view.unread_counts import UnreadCounts


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often that is done which walks everything, or is done for each of many."""
    calls: Counter[str] = Counter()

    def count(module: Any, name: str) -> None:
        original: Callable[..., Any] = getattr(module, name)

        def counting(*args: Any, **options: Any) -> Any:
            calls[name] += 1
            return original(*args, **options)

        monkeypatch.setattr(module, name, counting)

    count(UnreadCounts, "recount")
    count(fuzzy, "_ways")
    count(jump_targets, "_topics")
    count(Chooser, "offer")
    count(FrameCompositor, "render_full_update")
    count(FrameCompositor, "reflow")
    return calls


async def test_keys_cost_the_same_however_much_is_unread(
    tmp_path: Path, counted: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Starting, moving, jumping, a message, another size: what is unread is walked a few times, not for each channel."""
    async with (
        large(tmp_path / "server", SCALE) as there,
        playing(there.server, there.ann, tmp_path) as ann,
    ):
        store = ann.screen.account.session.store
        await idle(ann)
        assert len(store.unreads) > 40_000
        assert counted["recount"] <= 12  # the start
        counted.clear()

        ann.screen.panes.messages.focus()
        await ann.press(*"kkjjkkjj")
        for _ in range(20):
            ann.screen.account._tick()
        await idle(ann)
        counted["render_full_update"] = counted["reflow"] = 0
        await ann.pilot.resize_terminal(100, 40)
        await ann.pilot.pause()
        # One layout and one whole frame, although panes go, and lists have to take their new sizes.
        assert counted["reflow"] == 1
        assert counted["render_full_update"] == 1
        assert counted["recount"] <= 10
        counted.clear()

        subscribed = (await there.ben.get("users/me/subscriptions"))["subscriptions"]
        place = next(e for e in subscribed if e["stream_id"] in store.channels.subscribed)["name"]
        costs: list[int] = []
        show = AccountController.show_changes

        def showing(account: AccountController, event: StoreChanged) -> None:
            costs.append(calls(lambda: show(account, event)))

        with monkeypatch.context() as patched:
            patched.setattr(AccountController, "show_changes", showing)
            for text in ("one", "two"):
                sent = await there.ben.post(
                    "messages", type="stream", to=place, topic="counted", content=text
                )
                await ann.sees(partial(store.messages.by_id.__contains__, sent["id"]))
                await idle(ann)
        # Drawn are the message, its channel's row and the inbox's, of 500 rows.
        assert 0 < min(costs) <= 1_100, costs
        assert not counted["recount"]
        counted.clear()

        await ann.press("ctrl+k")
        await ann.sees(lambda: isinstance(ann.app.screen, Chooser))
        await ann.press(*"eng")
        # Each offer of topics that came compares anew, and so does each letter; few of them closely.
        assert counted["_ways"] <= (3 + counted["offer"]) * 100
        await ann.sees(lambda: len(store.topics.complete) >= MOST)
        assert counted["offer"] <= 6
        # Those of a channel when the list opens, and again only when they came, not at each offer.
        assert counted["_topics"] <= 2 * len(store.channels.subscribed)
        assert counted["recount"] <= 5
        # A dialog that opens is drawn once, with what is behind it.
        assert counted["render_full_update"] == 1
        assert ann.app.screen.query_one(Input).value == "eng"
        dimmed: list[int] = []
        strips = FrameCompositor.strips

        def dimming(below: FrameCompositor, rows: Iterable[int]) -> list[Strip]:
            missing = list(rows)
            dimmed.extend(missing)
            return strips(below, missing)

        with monkeypatch.context() as patched:
            patched.setattr(FrameCompositor, "strips", dimming)
            for text in ("three", "four"):
                dimmed.clear()
                sent = await there.ben.post(
                    "messages", type="stream", to=place, topic="counted", content=text
                )
                await ann.sees(partial(store.messages.by_id.__contains__, sent["id"]))
                await ann.sees(lambda: bool(dimmed))
                await ann.pilot.pause()
        assert len(dimmed) <= 4, "rows behind the dialog that did not change"
        counted.clear()
        await ann.press("escape")
        await ann.sees(lambda: ann.app.screen is ann.screen)
        await idle(ann)
        # The screen below, too, and it is as it was laid out.
        assert (counted["render_full_update"], counted["reflow"]) == (1, 0)
