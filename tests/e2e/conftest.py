"""Fixtures for every story: checks that the endpoints it declares are requested."""

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.e2e.endpoints import seen
from tests.e2e.everywhere import EVERYWHERE, EVERYWHERE_WAYS, SOAK_WAYS
from tests.e2e.needs import missing
from tests.e2e.shell import Shell
from tests.e2e.team import team
from tests.far import FAR, WAYS, Way
from tests.live import Live, live
from tui.accounts import Account, write_zuliprc


@pytest.fixture(autouse=True)
def asked_for(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    way: Way,  # which may skip the story: then nothing is requested
) -> Iterator[set[str]]:
    """Collect what the client requests. A story fails if its client does not request what it declares."""
    said = {name for mark in request.node.iter_markers("uses") for name in mark.args}
    with seen(monkeypatch) as endpoints:
        yield endpoints
    assert said <= endpoints, f"the client never asked for {', '.join(sorted(said - endpoints))}"


@pytest.fixture(autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Way:
    """Return the distance and kind of server: ours and far, unless the story or CHINWAG_WAY differs."""
    chosen = WAYS[getattr(request, "param", os.environ.get("CHINWAG_WAY", FAR.name))]
    marks = request.node.iter_markers("uses")
    story = request.node.function.__name__
    if reason := missing(story, [name for mark in marks for name in mark.args], chosen.level):
        pytest.skip(reason)
    monkeypatch.setattr("tests.live.WAY", chosen)
    return chosen


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize some stories with several ways; with CHINWAG_WAY=all, all of them."""
    asked = os.environ.get("CHINWAG_WAY", "")
    is_core = metafunc.function.__name__ in EVERYWHERE
    if asked == "all":
        ways = tuple(WAYS) if is_core else ("far", *SOAK_WAYS)
    elif is_core and not asked:
        ways = EVERYWHERE_WAYS
    else:
        return
    metafunc.parametrize("way", ways, indirect=True)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Live]:
    """Run a server on this event loop, without users."""
    (tmp_path / "server").mkdir()
    async with live(tmp_path / "server") as running:
        yield running


@pytest.fixture
async def shell(
    server: Live,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Shell:
    """Return Ann's command line."""
    monkeypatch.setenv("CHINWAG_HOME", str(tmp_path / "home"))
    ann, ben, tea = await team(server)
    zuliprc = tmp_path / "ann" / "zuliprc"
    write_zuliprc(zuliprc, Account(site=server.url, email=ann.email, key=ann.key))
    return Shell(server, ann, ben, tea, zuliprc, capsys)
