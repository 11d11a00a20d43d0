"""`Any` stands where the type of a value is known at run time only, and nowhere else."""

import ast
from typing import Final

from tests.shape.sources import modules, nodes

MAY_SAY_ANY: Final[dict[str, str]] = {
    "actions/avatars.py": "columns by their names, for `replace`",
    "actions/channel_folders.py": "fields by their names",
    "actions/navigation_views.py": "fields by their names, for `replace`",
    "actions/realm.py": "settings, each of its own type",
    "actions/statuses.py": "fields by their names, for `replace`",
    "actions/users.py": "columns by their names, for `replace`",
    "api/decoding.py": "annotations of endpoints, read at run time",
    "api/idempotency.py": "answers of endpoints, stored as JSON",
    "api/json_web_tokens.py": "claims, as the library gives them",
    "api/openapi.py": "annotations of endpoints, and JSON Schema",
    "api/request.py": "ASGI",
    "app.py": "endpoints are called by their table",
    "cli/admin_client.py": "JSON of a running server",
    "cli/admin_dispatch.py": "JSON of a running server",
    "cli/tables.py": "JSON of a running server",
    "dataclass.py": "makes methods for any class",
    "endpoints/messages.py": "a narrow is a list of whatever clients sent",
    "endpoints/queues.py": "events are bytes already",
    "events/base.py": "fields of the API's objects, and events of any personal part",
    "export/personal.py": "fields by their names",
    "http/connections.py": "ASGI",
    "http/multipart.py": "options, as the library gives them",
    "http/protocol.py": "overrides what the library leaves untyped",
    "http/replies.py": "ASGI",
    "markup/linkifiers.py": "the library has no types",
    "monitoring/metrics.py": "the library is loaded on demand",
    "objects/realm.py": "settings, each of its own type",
    "objects/settings.py": "JSON Schema",
    "objects/subscriptions.py": "settings, each of its own type",
    "store/connection.py": "rows of SQLite: the schema knows their types",
    "store/personal_settings.py": "settings, each of its own type",
    "store/realm.py": "settings, each of its own type",
    "store/query_cache.py": "rows of SQLite",
    "store/rows.py": "rows of SQLite",
    "store/settings.py": "settings, each of its own type",
    "validation.py": "annotations, read at run time, and what they describe",
    "video_calls/provider_client.py": "JSON of other servers",
    "web/api_docs.py": "the description of the API, as JSON",
}
MOST: Final = 100
"""Uses of `Any` in all of the server; lower it when there are fewer."""


def test_any_stands_where_a_reason_does() -> None:
    """A value of unknown type is `object`: whoever uses it says what it is, and a checker looks."""
    uses = {
        name.removeprefix("server_lite/"): number
        for name, tree in modules("server_lite")
        if (number := sum(_is_any(node) for node in nodes(tree)))
    }
    assert uses.keys() == MAY_SAY_ANY.keys()
    assert sum(uses.values()) <= MOST


def _is_any(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.endswith("[Any]")  # an annotation in quotes
    return isinstance(node, ast.Name) and node.id == "Any"
