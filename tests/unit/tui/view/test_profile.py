"""The card of a person and of a channel: what a colleague wants to know, and nothing hostile."""

from dataclasses import replace
from datetime import UTC
from typing import Any

import pytest

from tests import eg
from tui.api.model import ChannelId, Presence, ProfileFieldId, ProfileValue, Role, User, UserId
from tui.api.organization import CustomProfileField
from tui.content.extracts import plain_text
from tui.narrow import TopicNarrow
from tui.store import Store
from tui.view import channel_info
from tui.view.cards import CardContent, CardPart, Pair, Sentence
from tui.view.people import people
from tui.view.profile import profile
from tui.view.times import Times

TIMES = Times(zone=UTC)
FIELDS = (
    eg.make(CustomProfileField, id=ProfileFieldId(1), type=1, name="Pronouns", order=2),
    eg.make(CustomProfileField, id=ProfileFieldId(2), type=3, name="Team", order=1,
            field_data='{"a": {"text": "Design", "order": "1"}}'),
    eg.make(CustomProfileField, id=ProfileFieldId(3), type=6, name="Mentor", order=3),
)  # fmt: skip


def _store(person: User, **fields: Any) -> Store:
    shared = eg.subscription(9, "design", subscribers=frozenset({UserId(1), person.user_id}))
    return Store.from_snapshot(
        eg.snapshot(
            users=(eg.ME, person),
            channels=(shared, eg.subscription(10, "other")),
            custom_profile_fields=FIELDS,
            **fields,
        )
    )


def _pairs(parts: list[CardPart]) -> dict[str, str]:
    return {part.label: part.text for part in parts if isinstance(part, Pair)}


def test_a_profile_says_who_somebody_is_and_their_time() -> None:
    """Role, address, local time, the organization's questions in its order, shared channels."""
    values = {
        ProfileFieldId(1): ProfileValue(value="*they*", rendered_value="<p><em>they</em></p>"),
        ProfileFieldId(2): ProfileValue(value="a", rendered_value=None),
        ProfileFieldId(3): ProfileValue(value="[1]", rendered_value=None),
    }
    mary = replace(eg.MARY, role=Role.MODERATOR, profile_data=values, timezone="Asia/Tokyo")
    pairs = _pairs(profile(_store(mary), mary, TIMES, eg.NOW))
    assert pairs["Role"] == "moderator"
    assert pairs["Local time"] == "00:06, Asia/Tokyo"
    assert pairs["Email"] == "user2@example.com"
    assert list(pairs)[-5:] == ["Team", "Pronouns", "Mentor", "Joined", "Channels"]
    assert pairs["Pronouns"] == "they"  # as the server has formatted it
    assert (pairs["Team"], pairs["Mentor"]) == ("Design", "Iris Self")
    assert pairs["Channels"] == "#design"


@pytest.mark.parametrize(
    ("seen", "words"), [(None, "not seen lately"), (10, "now"), (7200, "seen 2 h ago")]
)
def test_when_somebody_was_here(seen: int | None, words: str) -> None:
    """Here now, or how long ago."""
    at = eg.NOW - (seen or 0)
    presences = {} if seen is None else {UserId(2): Presence(active_timestamp=at, idle_timestamp=0)}
    store = _store(eg.MARY, presences=presences)
    assert _pairs(profile(store, eg.MARY, TIMES, eg.NOW))["Here"] == words


def test_an_account_that_was_deleted_is_told_from_a_closed_one() -> None:
    """A closed account may come back, with what it said; a deleted one does not."""
    closed = replace(eg.MARY, is_active=False)
    for user, words in ((closed, "deactivated"), (replace(closed, is_deleted=True), "deleted")):
        here = _pairs(profile(_store(user), user, TIMES, eg.NOW))["Here"]
        assert here == f"the account {'was' if user.is_deleted else 'is'} {words}"


def test_of_a_large_channel_those_are_shown_whom_the_server_tells() -> None:
    """The people beside a channel of thousands are the ones who were there lately, not everybody."""
    part = frozenset({eg.MARY.user_id})
    design = eg.subscription(9, "design", subscribers=None, partial_subscribers=part)
    store = Store.from_snapshot(eg.snapshot(channels=[design]))
    rows = people(store, TopicNarrow(ChannelId(9), "tea"), eg.NOW)
    assert [row.user_id for row in rows if row.user_id is not None] == [eg.MARY.user_id]
    assert _pairs(profile(store, eg.MARY, TIMES, eg.NOW))["Channels"] == "#design"


def test_nonsense_in_a_profile_is_shown_as_text_and_made_inert() -> None:
    """A broken time zone or list of people does not break the card."""
    values = {ProfileFieldId(3): ProfileValue(value="{\x1b[2J", rendered_value=None)}
    odd = replace(eg.MARY, timezone="../../etc/passwd", date_joined="soon", profile_data=values)
    pairs = _pairs(profile(_store(odd), odd, TIMES, eg.NOW))
    assert "Local time" not in pairs
    assert "\x1b" not in pairs["Mentor"]


def test_a_channel_says_what_it_is_for_and_how_one_hears_it() -> None:
    """Purpose first, then the topic that is open, and the reader's own settings."""
    channel = eg.subscription(9, "design", is_muted=True, pin_to_top=True, invite_only=True)
    store = Store.from_snapshot(eg.snapshot(channels=(channel,)))
    topic = TopicNarrow(ChannelId(9), "tea")
    parts = channel_info.about(store, channel, topic, TIMES)
    said = [plain_text(part.nodes) for part in parts if isinstance(part, CardContent)]
    pairs = _pairs(parts)
    assert said == ["About design"]
    assert (pairs["Topic"], pairs["This topic"]) == ("tea", "as the channel")
    assert pairs["Your settings"] == "joined, muted, pinned"
    assert "private" in pairs["Visibility"]


def test_members_are_counted_and_named() -> None:
    """Where the server does not say who is in a channel, neither does the card."""
    store = _store(eg.MARY)
    assert channel_info.members(store, frozenset({UserId(2), UserId(1)})) == [
        Sentence("2 people:"),
        Sentence("Iris Self"),
        Sentence("Mary Member"),
    ]
    assert len(channel_info.members(store, None)) == 1
