"""The files that one uploaded: found again, and taken away."""

from pathlib import Path

from tests.e2e.client import playing
from tests.e2e.dialogs import actions, lines, page, yes
from tests.e2e.endpoints import uses
from tests.e2e.team import answered, team
from tests.live import live, until


@uses("GET /attachments", "DELETE /attachments/{attachment_id}")
async def test_a_file_leads_to_its_message_and_can_be_deleted(tmp_path: Path) -> None:
    """What is in which message, and what is in none: that goes."""
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)
        for name in ("plan.txt", "old.txt"):
            answer = (await ann.http.post("user_uploads", files={"f": (name, b"x" * 2048)})).json()
            if name == "plan.txt":
                content = f"[plan]({answer['url']})"
                await ann.post("messages", type="stream", to="design", topic="tea", content=content)
        async with playing(server, ann, tmp_path) as a:
            await page(a, "attachments")
            await a.sees(lambda: len(lines(a)) == 2)
            assert [line.split("· ")[-1] for line in lines(a)] == [
                "not in a message",
                "in 1 message",
            ]
            assert lines(a)[0].startswith("old.txt")
            assert "2.0 KiB" in lines(a)[0]
            assert "message" not in actions(a)
            await a.press("d")
            await yes(a)
            await until(lambda: len(lines(a)) == 1)
            assert [each["name"] for each in (await ann.get("attachments"))["attachments"]] == [
                "plan.txt"
            ]
            await a.press("enter")
            await answered(a)
            await until(lambda: a.screen.account.open_narrow.is_shown(tea))
