"""Which pages are offered: those that the server, or the SSH host, has something for."""

from types import SimpleNamespace
from typing import cast
from unittest.mock import AsyncMock, Mock

import pytest

from tests import eg
from tui.api.features import DEVICES
from tui.host import LOCAL, AccessKeys, Host, hosted
from tui.screens.context import AccountContext
from tui.screens.dialogs.base import Dialog
from tui.screens.dialogs.chooser import Chooser
from tui.screens.organization.administration import Administration, offered
from tui.store import Store

OVER_SSH = hosted(site="chat.example.com", command="ssh …", access=Mock(spec=AccessKeys))


@pytest.mark.parametrize(
    ("host", "level", "expected"),
    [
        (LOCAL, DEVICES.since, True),
        (LOCAL, DEVICES.since - 1, False),
        (OVER_SSH, DEVICES.since - 1, True),
    ],
)
def test_ssh_keys_are_listed_whatever_the_server_lacks(
    host: Host, level: int, expected: bool
) -> None:
    """Over SSH they are on the page of devices, which an older server does not have."""
    store = Store.from_snapshot(eg.snapshot(feature_level=level))
    session, app = SimpleNamespace(store=store), SimpleNamespace(host=host)
    context = cast(AccountContext, SimpleNamespace(session=session, app=app))
    assert ("devices" in {page.name for page in offered(context)}) is expected


async def test_esc_leads_from_a_page_back_to_the_list() -> None:
    """I set up the organization page by page; the cursor is on the page that I come from."""
    store = Store.from_snapshot(eg.snapshot())
    asked: list[Dialog[object]] = []
    answers: list[object] = []

    async def ask(dialog: Dialog[object]) -> object:
        asked.append(dialog)
        return answers.pop(0)

    context = cast(
        AccountContext,
        SimpleNamespace(
            session=SimpleNamespace(store=store, sync=AsyncMock()),
            app=SimpleNamespace(host=LOCAL),
            ask=ask,
            followers=[],
        ),
    )
    pages = offered(context)
    words = next(page for page in pages if page.name == "alert_words")
    answers += [words, False, None]
    await Administration(context).ask()
    first, _, last = asked
    assert isinstance(first, Chooser)
    assert isinstance(last, Chooser)
    assert (first._at, last._at) == (0, pages.index(words))

    files = next(page for page in pages if page.name == "attachments")
    answers += [files, True]  # Enter on a file goes to its message
    await Administration(context).ask()
    assert answers == []
