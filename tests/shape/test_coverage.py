"""The API is answered whole: what is left out has its reason, and the page that lists it is true."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest

from tests.live import live
from tests.shape.sources import ROOT

LAST: Final = "DELETE /users/me"
"""After this the key is no longer good."""
SELF_LOCKING: Final = "POST /users/me/api_key/regenerate"
"""So is it after this, which its own tests ask for."""


@pytest.fixture(scope="module")
def coverage() -> ModuleType:
    """The script that writes the page."""
    spec = importlib.util.spec_from_file_location("api_coverage", ROOT / "docs" / "api_coverage.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_says_what_is_there(coverage: ModuleType) -> None:
    """What the page of the API says answers, calls and tests an endpoint is in the code: `make map`."""
    assert coverage.PAGE.read_text("utf-8") == coverage.page()


def test_what_is_left_out_has_its_reason(coverage: ModuleType) -> None:
    """An endpoint that nothing answers is listed with why, and no other is."""
    absent = {one.name for one in coverage.endpoints() if coverage.answered_by(one) is None}
    assert absent == coverage.MISSING.keys()


async def test_every_endpoint_that_clients_need_answers(
    coverage: ModuleType, tmp_path: Path
) -> None:
    """My client finds what it asks for: no endpoint is unknown, and none breaks when asked for nothing."""
    needed = [
        one
        for one in coverage.endpoints()
        if one.tier in ("must", "should")
        and one.name not in coverage.MISSING
        and one.name != SELF_LOCKING
    ]
    assert len(needed) > 130
    unanswered = []
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        for one in sorted(needed, key=lambda one: one.name == LAST):
            response = await ann.http.request(one.verb, one.sample)
            unknown = b"no such endpoint" in response.content
            if unknown or response.status_code in (401, 405) or response.status_code >= 500:
                unanswered.append((one.name, response.text))
    assert unanswered == []
