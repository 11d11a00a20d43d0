"""The organization's questions as fields of a form: each kind goes there and back unchanged."""

from dataclasses import replace
from typing import Any

from tests import eg
from tui.api.model import ProfileFieldId, ProfileValue, User, UserId
from tui.api.organization import CustomProfileField
from tui.screens.dialogs.form import Answers, ChoiceField, SeveralField, TextField
from tui.screens.fields.profile import profile_answers, profile_fields
from tui.store import Store
from tui.view import own_profile

SHORT, LONG, CHOICE, PERSON = 1, 2, 3, 6


def _question(field_id: int, kind: int, name: str, **more: Any) -> CustomProfileField:
    return eg.make(
        CustomProfileField,
        id=ProfileFieldId(field_id),
        type=kind,
        name=name,
        order=field_id,
        **more,
    )


QUESTIONS = (
    _question(1, SHORT, "Desk\x1b[2J", hint="floor"),
    _question(2, LONG, "About"),
    _question(3, CHOICE, "Team", field_data='{"b": {"text": "Sales", "order": "2"},'
              ' "a": {"text": "Design", "order": "1"}}', required=True),
    _question(4, PERSON, "Mentor"),
    _question(5, CHOICE, "Broken", field_data="{"),
    _question(6, SHORT, "Set by others", editable_by_user=False),
)  # fmt: skip


def _said(**values: str) -> User:
    data = {
        ProfileFieldId(int(key[1:])): ProfileValue(value=value, rendered_value=None)
        for key, value in values.items()
    }
    return replace(eg.ME, profile_data=data)


def _store(me: User) -> Store:
    return Store.from_snapshot(eg.snapshot(users=(me, eg.MARY), custom_profile_fields=QUESTIONS))


def test_each_kind_of_question_has_its_field() -> None:
    """Options in their order with nothing among them, people ticked, long text in lines."""
    me = _said(q2="a\nb", q3="b", q4="[2]")
    desk, about, team, mentor, broken = profile_fields(_store(me), me, own=True)
    assert isinstance(desk, TextField)
    assert "\x1b" not in desk.label
    assert (desk.hint, desk.lines) == ("floor", 1)
    assert isinstance(about, TextField)
    assert (about.value, about.lines) == ("a\nb", 3)
    assert isinstance(team, ChoiceField)
    assert [choice.label for choice in team.choices] == ["—", "Design", "Sales"]
    assert team.value == "b"
    assert isinstance(mentor, SeveralField)
    assert mentor.value == {UserId(2)}
    assert isinstance(broken, ChoiceField)
    assert [choice.label for choice in broken.choices] == ["—"]
    assert len(profile_fields(_store(me), me, own=False)) == len(QUESTIONS)


def test_only_what_was_changed_is_answered_anew() -> None:
    """Nothing any more is an empty answer, of people too."""
    store = _store(_said())
    values = {"profile-1": " 4 ", "profile-3": "", "profile-4": frozenset({UserId(2), UserId(1)})}
    answers = Answers({**values, "profile-2": "as it was"}, frozenset(values))
    assert profile_answers(store, answers) == {1: "4", 3: "", 4: [1, 2]}
    nobody = Answers({"profile-4": frozenset()}, frozenset({"profile-4"}))
    assert profile_answers(store, nobody) == {4: ""}


def test_ones_profile_in_lines_has_what_is_still_to_be_said() -> None:
    """By their words; a question that everybody is to answer says so."""
    lines = dict(own_profile.lines(_store(_said(q4="[2]"))))
    assert lines["Mentor"] == eg.MARY.full_name
    assert lines["Team"] == "— (required)"
    assert lines["About"] == "—"
    assert lines["Picture"] == "generated"


def test_the_time_zone_of_now_comes_first() -> None:
    """And none at all next to it."""
    assert own_profile.zones("Asia/Tokyo")[:2] == ["Asia/Tokyo", ""]
    assert own_profile.zones("").count("") == 1
