"""The organization's settings and one's own, changed in forms: only what was changed, and no guesses."""

from pathlib import Path

from textual.widgets import Input

from server_lite.store.users import Role
from tests.e2e.client import playing
from tests.e2e.dialogs import cursor_on, fill, form, lines, page, refused, save, yes
from tests.e2e.endpoints import uses
from tests.e2e.team import team
from tests.live import live
from tui.screens.organization.administration import offered


@uses("PATCH /realm")
async def test_an_owner_changes_limits_and_permissions(tmp_path: Path) -> None:
    """A limit that is typed, one without end, who may do something; a refusal keeps what was typed."""
    async with live(tmp_path) as server:
        ann, _, _ = await team(server)
        async with playing(server, ann, tmp_path) as a:
            realm = a.screen.account.session.store.realm
            await page(a, "realm_settings")
            await cursor_on(a, "Messages")
            await a.press("enter")
            await form(a)
            await fill(a, "message_content_edit_limit_seconds", "45 min")
            await fill(a, "message_content_delete_limit_seconds", "forever")
            await fill(a, "message_retention_days", "400 days")
            await save(a)
            await a.sees(lambda: realm.settings.message_content_edit_limit_seconds == 45 * 60)
            assert realm.settings.message_content_delete_limit_seconds is None
            assert realm.settings.message_retention_days == 400
            await cursor_on(a, "Topics and content")
            await a.press("enter")
            await form(a)
            await fill(a, "topics_policy", "not allowed")
            await fill(a, "jitsi_server_url", "http://calls.example")
            assert "jitsi" in await refused(a)
            assert a.app.screen.query_one("#field-jitsi_server_url", Input).value[:5] == "http:"
            assert realm.settings.topics_policy == "allow_empty_topic"
            await fill(a, "jitsi_server_url", "https://calls.example")
            await save(a)
            await a.sees(lambda: realm.settings.jitsi_server_url == "https://calls.example")
            await cursor_on(a, "Message permissions")
            await a.press("enter")
            await form(a)
            await fill(a, "can_resolve_topics_group", "moderators")
            await save(a)
            groups = a.screen.account.session.store.groups.by_id
            await a.sees(
                lambda: (
                    isinstance(one := realm.settings.can_resolve_topics_group, int)
                    and groups[one].name == "role:moderators"
                )
            )


@uses("PATCH /settings")
async def test_a_member_changes_what_the_server_keeps_for_all_clients(tmp_path: Path) -> None:
    """One's own settings are on a page; the organization's are not offered to a member at all."""
    async with live(tmp_path) as server:
        _, ben, _ = await team(server)
        async with playing(server, ben, tmp_path) as b:
            store = b.screen.account.session.store
            assert "settings" not in {each.name for each in offered(b.screen.account)}
            await page(b, "preferences")
            await cursor_on(b, "Reading")
            await b.press("enter")
            await form(b)
            await fill(b, "web_mark_read_on_scroll_policy", "only by hand")
            await fill(b, "twenty_four_hour_time", "language default")
            await fill(b, "starred_message_counts", False)
            await fill(b, "timezone", "Mars/Base")
            assert "timezone" in await refused(b)
            await fill(b, "timezone", "Europe/Berlin")
            await save(b)
            await b.sees(lambda: store.settings.web_mark_read_on_scroll_policy == 3)
            assert store.settings.twenty_four_hour_time is None
            assert not store.settings.starred_message_counts
            await ben.patch("settings", send_read_receipts=False)
            await cursor_on(b, "Privacy")
            await b.sees(lambda: not store.settings.send_read_receipts)
            await b.press("enter")
            shown = await form(b)
            assert not shown.answers.tick("send_read_receipts")


async def test_an_administrator_is_not_offered_what_owners_decide(tmp_path: Path) -> None:
    """How people join is the owners' decision: an administrator sees the rest of that form."""
    async with live(tmp_path) as server:
        carl = await server.person("Carl", role=Role.ADMINISTRATOR)
        async with playing(server, carl, tmp_path) as c:
            await page(c, "realm_settings")
            assert any(line.startswith("Joining") for line in lines(c))
            await cursor_on(c, "Joining")
            await c.press("enter")
            shown = await form(c)
            assert "require_unique_names" in shown.answers.values
            assert "invite_required" not in shown.answers.values


@uses("POST /remove_client_device")
async def test_a_device_is_taken_off_the_list(tmp_path: Path) -> None:
    """This machine is marked; another that signs in appears at once, and can be taken off."""
    async with live(tmp_path) as server:
        ann, _, _ = await team(server)
        first = (await ann.post("register_client_device"))["device_id"]
        async with playing(server, ann, tmp_path) as a:
            (a.screen.account.session.state / "device").write_text(str(first), "utf-8")
            await page(a, "devices")
            assert lines(a) == [f"Device {first}  this one · no push notifications"]
            second = (await ann.post("register_client_device"))["device_id"]
            await cursor_on(a, f"Device {second}")
            await a.press("d")
            assert "stays signed in" in await yes(a)
            await a.sees(lambda: len(lines(a)) == 1)
            left = await ann.post("register", fetch_event_types=["device"])
            assert list(left["devices"]) == [str(first)]
