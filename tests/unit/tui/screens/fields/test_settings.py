"""Settings as fields: what is offered to whom, and what becomes of the answers."""

from dataclasses import replace
from typing import Any

from tests import eg
from tui.api.model import Role, Subscription, UserGroup, UserGroupId
from tui.api.routes.channels import GroupChange
from tui.api.snapshot import VideoProvider
from tui.screens.dialogs.form import Answers, ChoiceField
from tui.screens.fields.settings import changes, fields, offered
from tui.store import Store
from tui.view import realm_settings, subscriptions
from tui.view.settings import SettingsSection

MESSAGES, JOINING, MAY = (
    next(each for each in realm_settings.SECTIONS if each.name == name)
    for name in ("messages", "joining", "may-messages")
)


def _store(role: Role, **realm: Any) -> Store:
    groups = tuple(
        eg.make(UserGroup, id=UserGroupId(each), name=name, is_system_group=True)
        for each, name in ((1, "role:owners"), (2, "role:moderators"))
    )
    snapshot = eg.snapshot(users=(replace(eg.ME, role=role),), user_groups=groups)
    return Store.from_snapshot(replace(snapshot, realm=replace(snapshot.realm, **realm)))


def _names(store: Store, theme: SettingsSection) -> set[str]:
    return {each.name for each in offered(store, theme, store.realm.settings)}


def test_what_the_server_does_not_have_is_not_asked() -> None:
    """An older server has no such setting; a limit without end is a value, and is asked."""
    store = _store(Role.OWNER, require_unique_names=None, invite_required=True)
    assert "require_unique_names" not in _names(store, JOINING)
    assert "invite_required" in _names(store, JOINING)
    assert "message_content_edit_limit_seconds" in _names(store, MESSAGES)


def test_what_owners_decide_is_for_owners() -> None:
    """An administrator would only be refused."""
    for role, may in ((Role.OWNER, True), (Role.ADMINISTRATOR, False)):
        store = _store(role, invite_required=True, message_retention_days=-1)
        assert ("invite_required" in _names(store, JOINING)) is may
        assert ("message_retention_days" in _names(store, MESSAGES)) is may


def test_only_what_was_changed_becomes_a_change() -> None:
    """A permission says what it was, so that nobody else's change is undone by mistake."""
    store = _store(
        Role.OWNER,
        can_resolve_topics_group=UserGroupId(1),
        can_delete_any_message_group=UserGroupId(1),
    )
    record = store.realm.settings
    values = {each.name: each.value for each in fields(store, MAY, record)}
    values |= {"can_resolve_topics_group": UserGroupId(2)}
    answers = Answers(values, frozenset({"can_resolve_topics_group"}))
    assert changes(MAY, record, answers) == {
        "can_resolve_topics_group": GroupChange(new=UserGroupId(2), old=UserGroupId(1))
    }


def test_a_value_of_its_own_is_shown_beside_the_usual_ones() -> None:
    """A limit of 45 minutes is one of the choices where it holds; others can be typed."""
    store = _store(Role.OWNER, message_content_edit_limit_seconds=45 * 60)
    shown = fields(store, MESSAGES, store.realm.settings)
    field = next(each for each in shown if each.name == "message_content_edit_limit_seconds")
    assert isinstance(field, ChoiceField)
    assert "45 minutes" in [choice.label for choice in field.choices]
    assert field.made_of is not None
    made = field.made_of("3 days")
    assert made is not None
    assert (made.value, made.label) == (3 * 86400, "3 days")
    assert field.made_of("soon") is None


def test_a_color_that_is_none_is_shown_as_text_only() -> None:
    """A hostile color is drawn in no color at all."""
    store = _store(Role.MEMBER)
    mine = eg.make(Subscription, name="tea", color="red;\x1b[2J")
    shown = fields(store, subscriptions.section(store, "Ctrl+Z"), mine)
    field = next(each for each in shown if each.name == "color")
    assert isinstance(field, ChoiceField)
    (choice,) = (each for each in field.choices if each.value == field.value)
    assert choice.color == ""
    assert "\x1b" not in choice.label


def test_the_providers_of_calls_are_those_of_the_server() -> None:
    """Zoom is offered where the server is connected to it, under the name that the server gives."""
    others = next(
        each
        for each in realm_settings.SECTIONS
        if any(setting.name == "video_chat_provider" for setting in each.settings)
    )
    store = _store(Role.OWNER, video_chat_provider=3)
    store.realm.video_providers = {
        "disabled": VideoProvider(id=0, name="None"),
        "zoom": VideoProvider(id=3, name="Zoom"),
    }
    asked = {each.name: each for each in fields(store, others, store.realm.settings)}
    field = asked["video_chat_provider"]
    assert isinstance(field, ChoiceField)
    assert [(each.value, each.label) for each in field.choices] == [(0, "None"), (3, "Zoom")]
