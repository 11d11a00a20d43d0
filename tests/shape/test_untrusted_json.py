"""JSON within JSON is read by one function: others forget deep nesting and endless numbers."""

import ast

from tests.shape.sources import modules, nodes

OWN = {
    "tui/cache": "files that the client wrote itself; what is damaged is found out there",
    "tui/commands/linkifiers.py": "written by our own program",
    "tui/commands/sign_in.py": "written by the server of this machine",
    "tui/commands/picture_decoder.py": "written by the client",
    "tui/ssh/key_client.py": "answers of the front process",
    "tui/ssh/session_request.py": "written by the front process",
    "tui/ssh/parent.py": "written by the parent of the sessions",
    "tui/ssh/warm.py": "written by the front process",
    "tui/content/untrusted_json.py": "the one function",
}


def test_json_of_strangers_is_read_by_one_function() -> None:
    """`[[[[…` is a RecursionError for `json`, and `[1e999]` an OverflowError a line later."""
    reading = {
        f"{name}:{node.lineno}"
        for name, tree in modules("tui")
        if not name.startswith(tuple(OWN))
        for node in nodes(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in ("loads", "load")
        and isinstance(node.value, ast.Name)
        and node.value.id == "json"
    }
    assert reading == set()
