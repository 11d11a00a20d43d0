"""The client's table of features agrees with what full servers know, and leaves no endpoint out."""

import ast
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, get_args, get_type_hints

import pytest

from tests import eg
from tests.e2e.endpoints import endpoint_of
from tests.full_server.levels import levels
from tests.full_server.requests import PROVIDERS
from tests.shape.sources import ROOT
from tui.api import features
from tui.api.features import FIELDS, RELEASES, SEARCHES, Feature, check_narrow, needed_for
from tui.api.model import Channel, GroupSetting
from tui.api.snapshot import RealmSettings, UserSettings
from tui.errors import NotSupported
from tui.narrow import terms
from tui.screens.organization import linkifiers, profile_fields
from tui.store import Store
from tui.view import channels, preferences, realm_settings

OLDEST = 218
"""The level of the oldest server that is tried."""

LATER_ON_PURPOSE = {"POST /reminders": 399}
"""From 381 on reminders could be made, and neither seen nor deleted."""

VERBS = {"get", "post", "patch", "put", "delete", "upload"}

PASSED_OVER = {
    "allow_empty_topic_name": "old servers have no empty topics",
    "anchor_date": "tui/commands/days.py looks by halves",
    "example_input": "it tries the pattern in the form",
    "exclude_archived": "old servers never list archived channels",
    "export_type": "they make the kind of export that they know",
    "idle_queue_timeout": "a queue that is gone is registered anew",
    "include_deactivated_groups": "they delete groups",
    "include_subscribers": "they send all subscribers for `true` and `partial`",
    "is_archived": "tui/screens/channels/actions.py does not offer it",
    "deactivated": "tui/screens/organization/user_groups.py does not offer it",
    "last_update_id": "they send everybody's presence each time",
    "message_ids": "tui/sync/history.py asks for each",
    "note": "the dialog has no room for it",
    "presence_history_limit_days": "they tell of the last two weeks",
    "prev_content_sha256": "the later change wins there",
    "read_by_sender": "tui/commands/outbox.py marks it read",
    "add_subgroups": "old servers take them by another endpoint, which is not used",
    "delete_subgroups": "the same",
    "user_ids": "everybody is sent, and who was not asked for is left out",
    "voice_only": "calls are made with pictures",
}
"""Parameters that came late and need no word: what happens without."""


def _asked() -> Iterator[tuple[str, str, set[str]]]:
    """Every request of the routes: module and function, `VERB /path`, its parameters' names."""
    for path in sorted((ROOT / "tui" / "api" / "routes").glob("*.py")):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.AsyncFunctionDef):
                names = {
                    key.value
                    for each in ast.walk(function)
                    if isinstance(each, ast.Dict)
                    for key in each.keys
                    if isinstance(key, ast.Constant) and isinstance(key.value, str)
                }
                for call in ast.walk(function):
                    endpoint = _request(call)
                    if endpoint is not None:
                        yield f"{path.stem}.{function.name}", endpoint, names


def _request(call: ast.AST) -> str | None:
    match call:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="connection"), attr=verb),
            args=[ast.Constant(value=str(path)), *_],
        ) if verb in VERBS:
            pass
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="connection"), attr=verb),
            args=[ast.JoinedStr(values=parts), *_],
        ) if verb in VERBS:
            path = "".join(str(p.value) if isinstance(p, ast.Constant) else "7" for p in parts)
        case _:
            return None
    return f"{'POST' if verb == 'upload' else verb.upper()} {path}"


REQUESTS = list(_asked())


def test_the_routes_are_found() -> None:
    """The scan below sees what the client asks for."""
    assert len(REQUESTS) > 120


@pytest.mark.parametrize("where", sorted({where for where, _, _ in REQUESTS}))
def test_every_endpoint_that_came_late_has_its_sentence(where: str) -> None:
    """A server without it is told about in words, not as a refused path."""
    table = levels()
    for _, route, names in (each for each in REQUESTS if each[0] == where):
        verb, _, path = route.partition(" ")
        name = endpoint_of(verb, path.removeprefix("/"))
        if name is None or (name.endswith("/create") and "/calls/" in name):
            continue
        since, words = table.endpoints[name]
        feature = needed_for(route)
        wanted = LATER_ON_PURPOSE.get(route, since)
        assert (feature.since if feature else 0) == (wanted if since > OLDEST else 0), (
            f"{route} came with level {since}"
        )
        late = {each: words.since[each] for each in names & words.later(OLDEST)}
        assert {k: v for k, v in late.items() if FIELDS.get(k, v) != v} == {}
        unexplained = late.keys() - FIELDS.keys() - PASSED_OVER.keys()
        assert not unexplained, f"{where}: what without {unexplained}?"


def _settings() -> Iterator[tuple[str, type[Any], str, str]]:
    for section in (*preferences.SECTIONS,):
        yield from ((each.name, UserSettings, "settings", "") for each in section.settings)
    for section in (*realm_settings.SECTIONS,):
        yield from ((each.name, RealmSettings, "", "realm_") for each in section.settings)
    for section in (channels.POLICIES, channels.PERMISSIONS):
        yield from ((each.name, Channel, "channel", "") for each in section.settings)


def test_forms_offer_no_setting_that_came_later() -> None:
    """What an answer does not show to be absent is in the table of fields."""
    table = levels()
    for name, record, kind, prefix in _settings():
        since = (
            table.register.since.get(prefix + name, 0)
            if prefix
            else table.objects[kind].since.get(name, 0)
        )
        hint = get_type_hints(record)[name]
        absent_is_none = type(None) in get_args(hint) or hint is (GroupSetting | None)
        if since > OLDEST and not absent_is_none:
            assert FIELDS.get(name) == since, f"{name} came with level {since}"
    assert {each.name for each in fields(UserSettings)}  # the names above are those of records


def test_what_needs_what_is_said_in_one_sentence() -> None:
    """With the release that has it, so that one knows what to ask an administrator for."""
    assert features.SAVED_SNIPPETS.sentence == (
        "Snippets need Zulip 10 or later, or Chinwag. This server is older."
    )
    for each in features.ALL:
        assert each.needs.endswith((" need", " needs"))
        assert each.since <= RELEASES[-1][0]
    assert needed_for("POST /messages") is None
    assert needed_for("DELETE /saved_snippets/12") is features.SAVED_SNIPPETS
    assert not Feature("Nothing needs", 1).is_asked_by("")
    assert set(PROVIDERS) >= {"zoom", "webex"}


def test_forms_leave_out_what_the_server_would_pass_over() -> None:
    """A field that is not stored would be a lie; what every server takes stays."""
    old, new = ({each.name for each in linkifiers._fields(None, level)} for level in (218, 496))
    assert new - old == {"reverse", "alternatives"}
    assert "pattern" in old
    stores = [Store(eg.snapshot(feature_level=level)) for level in (218, 496)]
    old, new = ({each.name for each in profile_fields._fields(s, 1, None)} for s in stores)
    assert new - old == {"required", "editable"}
    assert "name" in old


def test_searches_that_came_late_are_explained() -> None:
    """Each operator and each operand of the client's searches, as the server knows it."""
    table = levels()
    late = {
        each: since
        for each, since in table.operators.since.items()
        if since > OLDEST and each in terms.OPERATORS - {"channel", "channels"}
    }
    for operator, known in (("is", terms.IS_OPERANDS), ("has", terms.HAS_OPERANDS)):
        for operand, since in table.operands[operator].since.items():
            if since > OLDEST and operand in known:
                late[f"{operator}:{operand}"] = since
    assert late == SEARCHES
    with pytest.raises(NotSupported, match="“is:followed” needs Zulip 9 or later, or Chinwag"):
        check_narrow([{"operator": "is", "operand": "followed"}], 218)
    check_narrow([{"operator": "is", "operand": "followed"}], 265)
    check_narrow([{"operator": "stream", "operand": 3}], 218)
