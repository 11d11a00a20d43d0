"""The client in an organization with 60 channels, 1,000 topics and 3,000 messages, far from its server."""

from pathlib import Path

from tests.e2e.client import AppDriver, idle, playing
from tests.faults.cutting import cuttable
from tests.large_organization import large
from tui.narrow import ChannelNarrow, TopicNarrow
from tui.screens.dialogs.chooser import Chooser
from tui.widgets.choice_list import ChoiceList


async def _jumping(player: AppDriver) -> None:
    """Begin to jump."""
    player.screen.panes.messages.focus()
    await player.press("ctrl+k")
    await player.sees(lambda: isinstance(player.app.screen, Chooser))


async def test_jumping_can_be_given_up_before_all_topics_are_known(tmp_path: Path) -> None:
    """Esc right after Ctrl+K, then a choice right after Ctrl+K: topics come for a closed dialog."""
    async with (
        large(tmp_path / "server") as there,
        cuttable(there.server.url) as wire,
    ):
        there.server.url = wire.url
        async with playing(there.server, there.ann, tmp_path) as ann:
            store = ann.screen.account.session.store
            assert len(store.channels.by_id) == 60
            described = [each.rendered_description for each in store.channels.by_id.values()]
            assert not any("**" in each for each in described)
            for keys in (["escape"], [*"eng-rel", "enter"]):
                gate = wire.stop(b"GET /api/v1/users/me/", "answer")
                await _jumping(ann)
                await gate.reached.wait()
                assert not store.channels.subscribed <= store.topics.complete
                await ann.press(*keys)
                await ann.sees(lambda: ann.app.screen is ann.screen)
                wire.gates.clear()
                gate.opened.set()
            await idle(ann)
            await ann.sees(
                lambda: isinstance(
                    ann.screen.account.open_narrow.narrow, ChannelNarrow | TopicNarrow
                )
            )


async def test_topics_of_all_channels_come_while_one_types(tmp_path: Path) -> None:
    """A topic that nobody opened is found, its cursor line stays, and few requests wait for others."""
    async with (
        large(tmp_path / "server") as there,
        playing(there.server, there.ann, tmp_path) as ann,
    ):
        await _jumping(ann)
        await ann.press(*"printer 9")
        listed = ann.app.screen.query_one(ChoiceList)
        await ann.sees(lambda: listed.count > 4)
        await ann.press("enter")
        await ann.sees(lambda: isinstance(ann.screen.account.open_narrow.narrow, TopicNarrow))
