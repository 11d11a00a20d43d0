"""Writes docs/api-coverage.md: every endpoint of the API, what answers it, who calls it, what tests it.

The endpoints are in api-tiers.csv, most needed first. Nothing is written that was not found in the
code: the server's table is asked, the client's functions say `VERB /path` in their docstrings.
"""

import ast
import csv
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from server_lite.errors import ApiError  # noqa: E402  # the path is set above
from server_lite.routes import TABLE  # noqa: E402  # the path is set above

PAGE = ROOT / "docs" / "api-coverage.md"
HEAD = """# The API, endpoint by endpoint

What answers each endpoint in `server_lite/endpoints`, which function of `tui/api/routes` calls it, and
the first test that names it. Where no function does, the program has no need of it, and `chinwag api`
reaches it. Written by `python docs/api_coverage.py`; a test compares.

Tiers: **must** and **should** are what chat clients and their users' scripts need, **could** is newer or
made for browsers, **no** belongs to a vendor's own services or was removed from the API.
"""
VENDOR = "serves one vendor's own services"
MISSING = {
    "GET /thumbnail/status/{realm_id_str}/{filename}": "nothing makes thumbnails: terminals scale by themselves",
    "POST /realm/test_welcome_bot_custom_message": "there is no welcome bot; the custom text comes with an invitation",
    "PATCH /users/me/subscriptions": "subscribing and unsubscribing in one request was never more than both",
    "POST /mobile_push/e2ee/test_notification": VENDOR,
    "POST /mobile_push/test_notification": VENDOR,
    "POST /remotes/push/e2ee/register": VENDOR,
    "GET /calls/bigbluebutton/create": VENDOR,
    "POST /zcommand": "was a web client's own; settings are changed by PATCH /settings",
}
"""Endpoints that nothing answers -> why."""
PLACE = re.compile(r"\{[^}]*\}")
SAID = re.compile(r"\b(GET|POST|PATCH|PUT|DELETE) (/[\w/{}]+)")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A row of the table."""

    tier: str
    verb: str
    path: str

    @property
    def name(self) -> str:
        return f"{self.verb} {self.path}"

    @property
    def sample(self) -> str:
        """A path as a client would write it."""
        path = self.path.replace("{email}", "x@example.com").replace("{realm_id_str}", "1")
        path = re.sub(r"\{(emoji_name|domain|filename|fragment|video_provider)\}", "x", path)
        return PLACE.sub("1", path).removeprefix("/")


def endpoints() -> list[Endpoint]:
    """All of them, in the order of the file."""
    with (ROOT / "docs" / "api-tiers.csv").open(encoding="utf-8", newline="") as file:
        return [Endpoint(**row) for row in csv.DictReader(file)]


def answered_by(endpoint: Endpoint) -> str | None:
    """`module.function` of the server, or None."""
    try:
        contract, _ = TABLE.find(endpoint.verb, endpoint.sample)
    except ApiError:
        return None
    function = contract.function
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


def callers() -> dict[str, str]:
    """`VERB /path`, places without names -> `module.function` of the client."""
    callers_by_route: dict[str, str] = {}
    for path in sorted((ROOT / "tui" / "api" / "routes").glob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.AsyncFunctionDef):
                words = ast.get_docstring(node) or ""
                for verb, where in SAID.findall(words):
                    callers_by_route.setdefault(
                        f"{verb} {PLACE.sub('{}', where)}", f"{path.stem}.{node.name}"
                    )
    return callers_by_route


def tests() -> Iterator[tuple[str, str]]:
    """(path, text) of every test module."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")


def tested_by(endpoint: Endpoint, sources: list[tuple[str, str]], known: str) -> str | None:
    """A test module that makes this request, the verb, then the path in quotes: `known`, or the first."""
    parts = PLACE.split(endpoint.path.removeprefix("/"))
    where = r"[^/\"'\s]+".join(re.escape(part) for part in parts)
    verb = endpoint.verb
    asks = re.compile(
        rf"(?:\.{verb.lower()}\(|\b{verb}\b)[^\n\"']{{0,40}}\s*[\"',\s]*f?[\"']?(?:/api/v1)?/?{where}[\"'?]"
    )
    literal = max(parts, key=len)  # almost no module holds it: looking for that first is quick
    likely = [one for one in sources if literal in one[1]]
    likely.sort(key=lambda one: (one[0] != known, "/endpoints/" not in one[0]))
    return next((name for name, text in likely if asks.search(text)), None)


def chosen() -> dict[str, str]:
    """Endpoint -> the test that the page names: it stays as long as it is right."""
    rows = PAGE.read_text("utf-8").splitlines() if PAGE.exists() else []
    cells = [row.split(" | ") for row in rows if row.startswith("| ")]
    return {row[1].strip("`"): f"tests/{row[4].strip('` |')}" for row in cells if len(row) == 5}


def page() -> str:
    """The page as it should be."""
    sources, known, before = list(tests()), callers(), chosen()
    lines = [HEAD, "| tier | endpoint | server | client | test |", "|---|---|---|---|---|"]
    for endpoint in endpoints():
        server = answered_by(endpoint)
        client = known.get(f"{endpoint.verb} {PLACE.sub('{}', endpoint.path)}")
        test = tested_by(endpoint, sources, before.get(endpoint.name, ""))
        cells = [
            endpoint.tier,
            f"`{endpoint.name}`",
            f"`{server}`" if server else f"absent: {MISSING[endpoint.name]}",
            f"`{client}`" if client else "",
            f"`{test.removeprefix('tests/')}`" if test and server else "",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
