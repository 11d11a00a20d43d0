"""Parameters as form fields. No I/O."""

from collections.abc import Mapping

import pytest

from tui.api.form import as_json, form, nullable
from tui.api.model import AnonymousGroup, UserGroupId, UserId
from tui.api.routes.channels import GroupChange
from tui.api.wire import UNSET


@pytest.mark.parametrize(
    ("parameters", "fields"),
    [
        ({"content": 'say "hi"'}, {"content": 'say "hi"'}),
        ({"a": True, "b": False}, {"a": "true", "b": "false"}),
        ({"n": 12}, {"n": "12"}),
        ({"to": (1, 2)}, {"to": "[1,2]"}),
        ({"words": ["é", 'q"']}, {"words": '["é","q\\""]'}),
        ({"topic": None, "x": UNSET}, {}),
        ({"folder_id": nullable(None), "y": nullable(UNSET)}, {"folder_id": "null"}),
        ({"value": as_json("#fff"), "z": as_json(None)}, {"value": '"#fff"'}),
        ({"topic": ""}, {"topic": ""}),
        (
            {
                "group": GroupChange(
                    new=AnonymousGroup(
                        direct_members=frozenset({UserId(2), UserId(1)}),
                        direct_subgroups=frozenset(),
                    ),
                    old=UserGroupId(3),
                )
            },
            {"group": '{"new":{"direct_members":[1,2],"direct_subgroups":[]},"old":3}'},
        ),
    ],
)
def test_scalars_are_plain_and_structures_json(
    parameters: Mapping[str, object], fields: Mapping[str, str]
) -> None:
    """The server gets what was meant: a text stays that text, a list is a list."""
    assert form(parameters) == fields


def test_not_a_number_is_not_sent() -> None:
    """A broken calculation fails here, not on the server."""
    with pytest.raises(ValueError, match="JSON"):
        form({"x": float("nan")})
