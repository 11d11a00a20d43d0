"""Who somebody is, what a channel is, and how one hears it: by keys, with a way back."""

from pathlib import Path

from tests.e2e.client import AppDriver, playing
from tests.e2e.endpoints import uses
from tests.e2e.messages import say
from tests.e2e.team import answered, asked, team
from tests.live import live
from tui.api.model import UserId, VisibilityPolicy
from tui.config import Settings
from tui.narrow import DmNarrow
from tui.widgets.card_body import CardBody


def _card(player: AppDriver) -> str:
    return player.app.screen.query_one(CardBody).render().plain


async def _click(player: AppDriver, words: str) -> None:
    """Click on what the card says can be done."""
    actions = player.app.screen.query_one("#actions")
    line = actions.render_line(0).text
    await player.pilot.click(actions, offset=(line.index(words), 0))


async def test_a_senders_card_leads_to_a_direct_message(tmp_path: Path) -> None:
    """`p` says who wrote a message; a click there writes to them."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            await a.press("k", "p")
            await asked(a)
            await a.sees(lambda: "member" in _card(a) and "#design" in _card(a))
            await _click(a, "write")
            ids = frozenset({UserId(ann.id), UserId(ben.id)})
            await a.sees(lambda: a.screen.account.open_narrow.is_shown(DmNarrow(ids)))


@uses("POST /user_topics")
async def test_a_topic_is_muted_and_followed_and_that_is_taken_back(tmp_path: Path) -> None:
    """`M` mutes what is open, `F` follows it, Ctrl+Z takes back one step after the other."""
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            store = a.screen.account.session.store
            a.screen.panes.messages.focus()
            await a.press("M")
            await a.sees(lambda: store.user_topics.policy(tea) == VisibilityPolicy.MUTED)
            await a.press("F")
            await a.sees(lambda: store.user_topics.policy(tea) == VisibilityPolicy.FOLLOWED)
            await a.press("ctrl+z")
            await a.sees(lambda: store.user_topics.policy(tea) == VisibilityPolicy.MUTED)
            await a.press("ctrl+z")
            await a.sees(lambda: not store.user_topics.policies)


@uses("POST /messages/flags")
async def test_what_was_marked_read_by_mistake_is_unread_again(
    tmp_path: Path, asked_for: set[str]
) -> None:
    """Ctrl+R empties the count, Ctrl+Z brings it back."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        await say(ben, "milk?")
        async with playing(server, ann, tmp_path, settings=Settings(mark_read=False)) as a:
            await a.go(tea)
            a.screen.panes.messages.focus()
            await a.sees(lambda: a.count("tea") == 2)
            await a.press("ctrl+r")
            await a.sees(lambda: a.count("tea") == 0)
            await a.press("ctrl+z")
            await a.sees(lambda: a.count("tea") == 2)
            await a.sees(lambda: "POST /messages/flags" in asked_for)


@uses("DELETE /users/me/subscriptions", "POST /users/me/subscriptions/properties")
async def test_a_channels_card_tells_and_changes_how_one_hears_it(tmp_path: Path) -> None:
    """`I` shows purpose and members; `p` there pins the channel, `x` leaves it after a question."""
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            store = a.screen.account.session.store
            a.screen.panes.messages.focus()
            await a.press("I")
            await asked(a)
            await a.sees(lambda: "public to the organization" in _card(a))
            await a.press("right")
            await a.sees(lambda: _card(a).split("\n") == ["2 people:", "Ann", "Ben"])
            await a.press("p")
            await answered(a)
            subscription = store.channels.subscription
            await a.sees(lambda: bool((one := subscription(tea.channel_id)) and one.pin_to_top))
            await a.press("I")
            await asked(a)
            await a.press("x")
            await a.sees(lambda: bool(a.app.screen.query("#yes")))
            await a.press("right", "enter")
            await a.sees(lambda: subscription(tea.channel_id) is None)
