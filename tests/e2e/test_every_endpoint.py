"""Nothing of the API is out of a person's reach: every endpoint has a story in which the client uses it.

A story says so itself (`tests.e2e.endpoints.uses`), and fails if its client does not ask for it. Here
the list is compared: an endpoint without a story needs its reason.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tests.e2e.endpoints import ENDPOINTS, endpoint_of

_VENDOR: Final = "serves one vendor's own services"
_COPY: Final = "the server's file is the organization: a copy of it is the export"
UNUSED: Final[Mapping[str, str]] = {
    "GET /thumbnail/status/{realm_id_str}/{filename}": "terminals scale pictures by themselves",
    "POST /realm/test_welcome_bot_custom_message": "there is no welcome bot",
    "PATCH /users/me/subscriptions": "joining and leaving in one request is never more than both",
    "DELETE /user_groups/{user_group_id}": "was removed; groups are deactivated",
    "GET /export/realm": _COPY,
    "POST /export/realm": _COPY,
    "DELETE /export/realm/{export_id}": _COPY,
    "POST /mobile_push/e2ee/test_notification": _VENDOR,
    "POST /mobile_push/register": _VENDOR,
    "POST /mobile_push/test_notification": _VENDOR,
    "POST /remotes/push/e2ee/register": _VENDOR,
    "GET /calls/bigbluebutton/create": _VENDOR,
    "POST /calls/constructorgroups/create": _VENDOR,
    "POST /calls/nextcloud_talk/create": _VENDOR,
    "POST /zcommand": "was a web client's own; settings are changed by PATCH /settings",
}
"""What no story is about, and why: our server does not have it, or answers why it cannot."""

STORIES: Final = Path(__file__).parent


def _said() -> Iterator[tuple[str, str]]:
    """(module, endpoint) of everything that stories say they use."""
    for path in sorted(STORIES.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "uses"
            ):
                for word in node.args:
                    assert isinstance(word, ast.Constant), f"{path.name}: names are written out"
                    yield path.name, str(word.value)


def test_every_endpoint_has_a_story() -> None:
    """Whatever the server can do, somebody at the client can have done; or it is said why not."""
    used = {name for _, name in _said()}
    assert sorted(used - set(ENDPOINTS)) == [], "these are not in docs/api-tiers.csv"
    assert sorted(set(ENDPOINTS) - used - UNUSED.keys()) == [], "these have no story"
    assert sorted(used & UNUSED.keys()) == [], "these have a story: off the list"


def test_a_story_is_no_call_of_the_functions_it_tests() -> None:
    """A person can do it, at the screen or the command line: a test's own request is no use of it."""
    for name in {module for module, _ in _said()}:
        tree = ast.parse((STORIES / name).read_text("utf-8"))
        imported = {
            node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
        }
        assert not [m for m in imported if m.startswith(("tui.api.routes", "tui.api.connection"))]


def test_requests_are_called_by_their_endpoint() -> None:
    """Words win over places, numbers over addresses: a request counts for one endpoint only."""
    assert endpoint_of("GET", "users/me") == "GET /users/me"
    assert endpoint_of("GET", "users/7") == "GET /users/{user_id}"
    assert endpoint_of("GET", "users/a@x.org") == "GET /users/{email}"
    assert endpoint_of("POST", "messages/flags") == "POST /messages/flags"
    assert endpoint_of("GET", "openapi.json") is None
