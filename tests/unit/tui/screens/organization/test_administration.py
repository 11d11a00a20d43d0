"""Which pages are offered: those that the server, or the SSH host, has something for."""

from types import SimpleNamespace
from typing import cast
from unittest.mock import Mock

import pytest

from tests import eg
from tui.api.features import DEVICES
from tui.host import LOCAL, AccessKeys, Host, hosted
from tui.screens.context import AccountContext
from tui.screens.organization.administration import offered
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
