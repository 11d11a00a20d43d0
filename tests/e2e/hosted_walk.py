"""Walks every action of a hosted client, and prints as JSON what it tried outside of its folder. A program.

python -m tests.e2e.hosted_walk FOLDER SITE EMAIL SECRET-FILE keys|messages|pages   (the key on standard input)
"""

import asyncio
import json
import sys
from pathlib import Path

from tests import idle_apps
from tests.e2e.client import AppDriver, folders, idle
from tests.live import until
from tui import host, keys
from tui.accounts import Account, write_zuliprc
from tui.config import Settings
from tui.narrow import AllMessages, TopicNarrow
from tui.screens.account_screen import AccountScreen
from tui.screens.organization.administration import PAGES
from tui.ssh.app import HostedApp
from tui.ssh.audit_guard import AuditGuard
from tui.view.rows import MessageRow

LEFT_OUT = frozenset(
    (
        "app.quit",
        "app.go",
        "app.view",
        "app.leader",
        "message.delete",
        "message.move",
        "message.resolve",
    )
)
INSIDE = ("enter",)
"""Keys that choose and add in dialogs."""


async def _back(player: AppDriver) -> None:
    for _ in range(9):
        if player.app.screen is player.screen:
            return
        await player.press("escape")


async def _open_something(player: AppDriver) -> None:
    """The topic with the files and links, and the message with them."""
    topic = next(
        p
        for p in player.screen.account.session.store.unreads.conversations()
        if isinstance(p, TopicNarrow)
    )
    await player.go(topic)
    await _choose(player)


async def _choose(player: AppDriver) -> None:
    messages = player.screen.panes.messages
    await until(lambda: any(isinstance(row, MessageRow) for row in messages.items))
    messages.focus()
    messages.select(next(r.key for r in reversed(messages.items) if isinstance(r, MessageRow)))
    await player.pilot.pause()


async def walk(app: HostedApp, secret: str, part: str) -> int:
    """All of a part; returns how many steps that were."""
    steps = 0
    async with app.run_test(size=(80, 24)) as pilot:
        player = AppDriver(app, pilot)
        await until(lambda: isinstance(app.screen, AccountScreen) and app.screen.is_mounted)
        await until(lambda: player.screen.account.open_narrow.is_shown(AllMessages()))
        await _open_something(player)
        place = player.screen.account.open_narrow.narrow
        assert place is not None
        everywhere = [each for each in keys.APPLICATION if "account_" not in each.id]
        actions = [each for each in (*everywhere, *keys.CONVERSATION) if each.id not in LEFT_OUT]
        of_messages = [each for each in keys.MESSAGE if each.id not in LEFT_OUT]
        for action in {"keys": actions, "messages": of_messages}.get(part, ()):
            if app.return_code is not None:
                raise AssertionError(f"ended at {action.id}")
            if (
                player.screen.account.open_narrow.narrow != place
                or player.screen.account.open_overview
            ):
                await player.go(place)
            await _choose(player)
            where = player.screen.panes.messages if action in of_messages else player.screen
            await where.run_action(
                action.action if action not in keys.APPLICATION else f"app.{action.action}"
            )
            await pilot.pause()
            for key in INSIDE:
                if app.screen is not player.screen:
                    await player.press(key)
            await _back(player)
            steps += 1
        for page in PAGES if part == "pages" else ():
            player.screen.action_organization(page.name)
            await pilot.pause()
            await player.press("enter")
            await _back(player)
            steps += 1
        # A path that is pasted, an editor, Textual's own doors.
        player.screen.panes.composer.focus()
        player.screen.panes.composer.insert(secret)
        await player.screen.account.compose_actions.paste.look_at(secret, left_out=0)
        player.screen.on_composer_editor_requested()
        for name in ("screenshot", "suspend_process", "command_palette"):
            await app.run_action(f"app.{name}")
        app.open_url("https://example.com/")
        await pilot.pause()
        await _back(player)
        await idle(player)
        player.screen.account.keep_draft()
    return steps


def main() -> int:
    """Prints {"steps": …, "tried": […]}."""
    folder, site, email, secret, part = sys.argv[1:]
    idle_apps.use()
    tried: list[str] = []
    places = folders(Path(folder), "visitor")
    zuliprc = places.config / "accounts" / "visitor.zuliprc"
    write_zuliprc(zuliprc, Account(site=site, email=email, key=sys.stdin.readline().strip()))
    app = HostedApp(
        folders=places,
        settings=Settings(images="off"),
        zuliprc=zuliprc,
        narrow="",
        host=host.hosted(site=site, command="ssh chat.example.com"),
    )
    program = (sys.prefix, sys.base_prefix)  # what else is on the path is not looked through
    sys.path[:] = [each for each in sys.path if each.startswith(program)]
    AuditGuard(Path(folder) / "visitor", site, tried.append, refuses=False).install()
    steps = asyncio.run(walk(app, secret, part))
    sys.stdout.write(json.dumps({"steps": steps, "tried": tried}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
