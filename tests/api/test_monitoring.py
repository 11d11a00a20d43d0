"""What other programs are told about the server: /healthz, /metrics, the log as JSON."""

import json
import logging
import re
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from server_lite.cli import log_lines
from server_lite.config import Settings
from server_lite.server import running
from tests.api.test_server import sign_up
from tests.live import CHEAP, UNLIMITED, live

KEY = "k" * 32


async def test_health_is_that_messages_can_be_stored(tmp_path: Path) -> None:
    """A container whose disk went away is restarted; anyone may ask, and learns nothing else."""
    async with live(tmp_path) as server:
        http = server.client()
        well = await http.get(server.url + "/healthz")
        assert (well.status_code, well.text) == (200, "ok\n")
        server.app.database.path.rename(tmp_path / "away.db")
        ill = await http.get(server.url + "/healthz")
        assert (ill.status_code, ill.text) == (503, "read-only\n")
        assert (await http.get(server.url + "/metrics")).status_code == 404


async def test_figures_are_those_of_what_was_done(tmp_path: Path) -> None:
    """An administrator sees requests by route, refusals, queues and how far a client is behind."""
    settings = Settings(db=tmp_path / "t.db", metrics_key=KEY, passwords=CHEAP, limits=UNLIMITED)
    async with running(settings, signals=False) as (server, url):
        key = await server.app.database.write(sign_up)
        async with httpx.AsyncClient(base_url=url, auth=("a@b", key)) as http:
            assert (await http.post("/api/v1/register")).status_code == 200
            for _ in range(3):
                await http.patch("/api/v1/users/999999", data={"full_name": '"A"'})
            await http.get("/api/v1/no/such/evil\\path")
            text = await figures(url)
        sample = r'chinwag_http_requests_total{method="PATCH",route="/api/v1/users/{user_id}",'
        assert re.search(re.escape(sample) + r'status="4\d\d"} 3\.0', text)
        assert 'chinwag_http_requests_total{method="GET",route="other",status="404"} 1.0' in text
        assert "evil" not in text
        assert "\nchinwag_event_queues 1.0\n" in text
        position = re.search(r"^chinwag_event_log_position (\S+)$", text, re.MULTILINE)
        assert position is not None
        assert float(position[1]) == server.app.database.log.head
        assert "\nchinwag_database_writable 1.0\n" in text
        assert text.endswith("# EOF\n")


async def figures(url: str) -> str:
    """What is at /metrics for who has the key; nobody else sees it."""
    async with httpx.AsyncClient(base_url=url) as http:
        for wrong in ({}, {"authorization": "Bearer " + "x" * 32}, {"authorization": "Bearer"}):
            refused = await http.get("/metrics", headers=wrong)
            assert (refused.status_code, refused.text) == (401, "")
        shown = await http.get("/metrics", headers={"authorization": f"Bearer {KEY}"})
    assert shown.headers["content-type"].startswith("application/openmetrics-text")
    return shown.text


def test_a_key_is_not_shown_with_the_settings() -> None:
    """A traceback or a bug report that quotes them lets nobody in."""
    settings = Settings(db=Path("t.db"))
    assert KEY not in repr(replace(settings, metrics_key=KEY))


def test_the_log_as_json_is_one_object_a_line(capfd: pytest.CaptureFixture[str]) -> None:
    """A collector reads time, level and text of every line, whatever a request brought along."""
    log_lines.log_to_stderr("json", "info")
    handler = logging.getLogger().handlers[-1]
    ours = logging.getLogger("chinwag.server")
    try:
        ours.info("reloaded")
        ours.error("500 at %s", "\x1b[2J\n{\x7f\u202e}", exc_info=ValueError("a\nb"))
        logging.getLogger("httpx").info("GET https://hooks/KEY")
    finally:
        logging.getLogger().removeHandler(handler)
        logging.getLogger("chinwag").setLevel(logging.NOTSET)
    lines = capfd.readouterr().err.splitlines()
    first, second = map(json.loads, lines)
    assert (first["level"], first["message"]) == ("info", "reloaded")
    assert second["message"] == "500 at \x1b[2J\n{\x7f\u202e}"
    assert "ValueError: a\nb" in second["exception"]
    assert all(" " <= sign <= "~" for line in lines for sign in line)
