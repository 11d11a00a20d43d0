"""Our schemas refuse and accept what pydantic's own do, in the same words; pydantic is there for who asks."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from server_lite import events as events
from server_lite.admin_commands import COMMANDS
from server_lite.config import CallProvider
from server_lite.events.base import KINDS
from server_lite.routes import TABLE
from server_lite.validation import validator

SAMPLES: Final = [
    *("null", "true", "3", "-1", "99999999999999999999", "2.5", '"tea"', '"3"', "[]", "{}", "[1]"),
    *("[1, 2]", '[1, "2"]', '["a", "b"]', '[["a", "b"]]', '[["a"]]', '[["a", 1]]', "[null]", "[[1]]"),
    *('{"a": "b"}', '{"a": 1}', '{"a": null}', '{"new": 3}', '{"new": 3, "old": 2, "x": 1}'),
    *('{"new": {"direct_members": [1], "direct_subgroups": []}, "old": null}', '{"new": "3"}'),
    *('{"direct_members": [1]}', '{"direct_members": ["a"], "direct_subgroups": [2]}'),
    *('[{"id": 1, "value": "x"}]', '[{"id": 1, "value": [1, true]}]', '[{"id": 1, "value": 2, "y": 3}]'),
    *('[{"name": "tea"}]', '[{"name": "tea", "description": null}]', '[{"name": 3}]', "[3", "NaN"),
    *('[{"type": "stream", "to": [1], "topic": "a", "content": "b"}]', '[{"stream_id": 1, "value": 2}]'),
    *('{"type": "private", "to": [1.5], "topic": null, "content": "b", "timestamp": 1.5}',),
    '[{"stream_id": 1, "property": "color", "value": true}]',
    '{"name": "zoom", "client_id": "a", "client_secret": "b", "authorize_url": "c"}',
    '{"name": "zoom", "client_id": "a", "client_secret": "b", "authorize_url": "c", "token_url": "d", "create_url": "e"}',
]  # fmt: skip


def hints() -> list[Any]:
    """The types of parameters and arguments that are validated by a schema."""
    given = [
        parameter.hint
        for route in TABLE.routes
        for spec in route.contracts.values()
        for parameter in spec.form
        if parameter.decode.__qualname__.startswith("_json.")
    ]
    commands = [
        hint
        for command in COMMANDS.values()
        for name, hint in command.__annotations__.items()
        if name not in ("tx", "environment", "return")
    ]
    return [*{str(hint): hint for hint in (*given, *commands, CallProvider)}.values()]


def outcome(check: Callable[..., Any], *value: Any, strict: bool | None = None) -> object:
    """Return what a validator returns, or says."""
    try:
        return check(*value, strict=strict)
    except ValidationError as error:
        return error.errors(include_url=False)


def test_parameters_are_validated_as_by_pydantic() -> None:
    for hint in hints():
        theirs: Any = TypeAdapter(hint)
        for sample in SAMPLES:
            for way in ("validate_json", "validate_python"):
                ours, expected = [
                    outcome(getattr(one, way), sample, strict=True)
                    for one in (validator(hint), theirs)
                ]
                assert repr(ours) == repr(expected), (hint, sample)


def test_events_are_validated_as_by_pydantic() -> None:
    """Lists in all fields: what is no list is refused as a sequence by pydantic, as a list here."""
    for kind in KINDS.values():
        theirs: Any = TypeAdapter(kind)
        for value in ([], [{1: "a"}]):
            data = dict.fromkeys(kind.__annotations__, value)
            expected = outcome(theirs.validate_python, data)
            assert outcome(validator(kind).validate_python, data) == expected, kind


def test_pydantic_itself_is_whole_afterwards() -> None:
    """The types of its core's schemas are left out of a start, and there when pydantic is imported."""
    code = (
        "import server_lite.validation, sys; print('pydantic_core.core_schema' in sys.modules)\n"
        "from pydantic import BaseModel; from pydantic_core import core_schema\n"
        "class Tea(BaseModel): cups: int = 2\n"
        "print(Tea.model_json_schema()['properties'], core_schema.int_schema())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [
        "False",
        "{'cups': {'default': 2, 'title': 'Cups', 'type': 'integer'}} {'type': 'int'}",
    ], done.stderr
