"""Polls and to-do lists: people vote and tick by key and by click, and see it of each other."""

from pathlib import Path

from textual.widgets import Input

from tests.e2e.client import AppDriver, playing
from tests.e2e.endpoints import uses
from tests.e2e.messages import say
from tests.e2e.team import KETTLE, contents, team
from tests.live import Person, live, until
from tui.api.model import MessageId
from tui.screens.dialogs.prompt import Prompt
from tui.view.polls import PollView


def _ballot(player: AppDriver, message_id: MessageId) -> PollView:
    ballot = next(row.ballot for row in player.rows if row.message_id == message_id)
    assert ballot is not None
    return ballot


async def _choose(player: AppDriver, words: str) -> None:
    """`v`, a few letters, Enter."""
    await player.press("v")
    await player.sees(lambda: player.app.screen is not player.screen)
    asked = player.app.screen
    asked.query_one(Input).value = words
    await player.press("enter")
    await player.sees(lambda: player.app.screen is not asked)


@uses("POST /submessage")
async def test_people_vote_in_a_poll_and_add_to_it(tmp_path: Path) -> None:
    """`v` votes, takes back, and adds what nobody thought of; the other sees each of them."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        poll = await say(ben, "/poll Where do we eat?\nThai\nPizza")
        async with playing(server, ann, tmp_path) as a, playing(server, ben, tmp_path) as b:
            await a.go(tea)
            await b.go(tea)
            assert _ballot(a, poll).title == "Where do we eat?"
            await a.press("k")
            await _choose(a, "piz")
            await b.sees(lambda: _ballot(b, poll).lines[1].detail == "Ann")
            await _choose(a, "Soup")
            await b.sees(lambda: [line.text for line in _ballot(b, poll).lines][2:] == ["Soup"])
            await _choose(a, "piz")
            await b.sees(lambda: not any(line.count for line in _ballot(b, poll).lines))


async def test_a_click_ticks_a_task(tmp_path: Path) -> None:
    """A task is done with a click on it, and to be done again with another."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        todo = await say(ben, "/todo Release\nnotes: what changed\ntag")
        async with playing(server, ann, tmp_path, size=(80, 24)) as a:
            await a.go(tea)
            view = a.screen.panes.messages
            top = view.region.y + next(
                y for y in range(view.size.height) if "notes" in view.render_line(y).text
            )
            task = (view.region.x + 6, top)
            assert view.render_line(top + 2 - view.region.y).text.split() == (
                ["v", "Complete", "or", "add", "a", "task"]
            )
            await a.pilot.click(offset=task)
            await a.sees(lambda: _ballot(a, todo).lines[0].is_on)
            await a.pilot.click(offset=task)
            await a.sees(lambda: not _ballot(a, todo).lines[0].is_on)


async def test_a_bots_question_is_answered_by_key_and_a_poll_gets_another_title(
    tmp_path: Path,
) -> None:
    """Who takes an answer says it; who asked may ask something else."""
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)
        made = await ann.post("bots", full_name="Quiz", short_name="quiz", bot_type=1)
        people = await ann.get("users")
        email = next(m["email"] for m in people["members"] if m["user_id"] == made["user_id"])
        auth = (email, made["api_key"])
        bot = Person(made["user_id"], *auth, server.client(auth=auth))
        await ann.post(
            "users/me/subscriptions", subscriptions=[{"name": "design"}], principals=[bot.id]
        )
        choice = {"type": "multiple_choice", "short_name": "A", "long_name": "", "reply": "A it is"}
        extra = {"type": "choices", "heading": "Which tea?", "choices": [choice]}
        await bot.post(
            "messages", type="stream", to="design", topic="tea", content="Which tea?",
            widget_content={"widget_type": "zform", "extra_data": extra},
        )  # fmt: skip
        poll = await say(ann, "/poll Where do we eat?\nThai")
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            a.screen.panes.messages.select(poll)
            await _choose(a, "change")
            await a.sees(lambda: isinstance(a.app.screen, Prompt))
            a.app.screen.query_one(Input).value = "And when?"
            await a.press("enter")
            await a.sees(lambda: _ballot(a, poll).title == "And when?")
            await a.press("k")
            await _choose(a, "A")
            await a.sees(lambda: a.texts[-1] == "A it is")
            said = [KETTLE, "Which tea?", "/poll Where do we eat?\nThai", "A it is"]

            async def is_sent() -> bool:
                return await contents(ann, tea.channel_id, "tea") == said

            await until(is_sent)
