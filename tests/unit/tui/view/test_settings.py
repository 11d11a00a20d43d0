"""Settings in words: spans that are typed, and tables that fit the wire and the form."""

from dataclasses import fields

import pytest

from tui.api.model import Channel
from tui.api.snapshot import RealmSettings, UserSettings
from tui.view import channels, preferences, realm_settings, settings
from tui.view.settings import BoolSetting, SettingsSection

WIDEST_LABEL = 29
"""Cells for a label at the left of a field."""


@pytest.mark.parametrize(
    ("typed", "seconds", "said"),
    [
        ("45 min", 2700, "45 minutes"),
        ("2h", 7200, "2 hours"),
        ("1 Day", 86400, "1 day"),
        ("14 days", 14 * 86400, "2 weeks"),
        ("90 s", 90, "90 seconds"),
    ],
)
def test_a_span_is_typed_and_said(typed: str, seconds: int, said: str) -> None:
    """What was typed comes back in the largest unit that says it exactly."""
    assert settings.parse_span(typed) == seconds
    assert settings.span(seconds) == said


@pytest.mark.parametrize("typed", ["", "0 min", "soon", "12", "5 years", "-3 h"])
def test_what_is_no_span_is_not_taken_for_one(typed: str) -> None:
    """Nobody gets a limit by mistake."""
    assert settings.parse_span(typed) is None


def test_days_are_a_number_with_or_without_the_word() -> None:
    """`90` and `90 days` mean the same; none at all is none."""
    assert settings.parse_days("90") == settings.parse_days("90 days") == 90
    assert settings.parse_days("0") is None
    assert settings.parse_days("forever") is None


@pytest.mark.parametrize(
    ("sections", "record"),
    [
        (realm_settings.SECTIONS, RealmSettings),
        (preferences.SECTIONS, UserSettings),
        ((channels.POLICIES, channels.PERMISSIONS), Channel),
    ],
)
def test_each_setting_is_one_of_the_wires_once_and_fits(
    sections: tuple[SettingsSection, ...], record: type
) -> None:
    """A form never asks for what is not known, nor for the same twice; its labels are not cut."""
    asked = [each for section in sections for each in section.settings]
    names = [each.name for each in asked]
    assert len(set(names)) == len(names)
    assert set(names) <= {field.name for field in fields(record)}
    assert [
        e.label for e in asked if not isinstance(e, BoolSetting) and len(e.label) > WIDEST_LABEL
    ] == []


def test_every_permission_of_the_organization_can_be_given() -> None:
    """A permission that the client knows of is in one of the forms."""
    known = {each.name for each in fields(RealmSettings)}
    shown = {each.name for section in realm_settings.SECTIONS for each in section.settings}
    assert {name for name in known if name.endswith("_group")} <= shown
    of_channels = {each.name for each in fields(Channel) if each.name.endswith("_group")}
    assert of_channels == {each.name for each in channels.PERMISSIONS.settings}
