"""What every story gets: the endpoints it says it uses are looked for at the server."""

from collections.abc import Iterator

import pytest

from tests.e2e.endpoints import seen


def pytest_configure(config: pytest.Config) -> None:
    """`@uses(...)` of `tests.e2e.endpoints`."""
    config.addinivalue_line("markers", "uses(*endpoints): the client asks for them in this story")


@pytest.fixture(autouse=True)
def asked_for(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[set[str]]:
    """What the client asked for so far. A story fails whose client did not ask for what it says."""
    said = {name for mark in request.node.iter_markers("uses") for name in mark.args}
    with seen(monkeypatch) as found:
        yield found
    assert said <= found, f"the client never asked for {', '.join(sorted(said - found))}"
