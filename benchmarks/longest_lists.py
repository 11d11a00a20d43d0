"""Requests with as much as one may hold, in an organization of 500 channels: for `pauses.py`. Measures nothing."""

from collections.abc import Sequence
from typing import Any

from benchmarks.large_history import MORE_CHANNELS, PROFILE_FIELDS


def longest_lists(
    people: Sequence[int], leaving: int, target: int
) -> list[tuple[str, str, str, str, dict[str, Any]]]:
    """Return requests, most of ordinary members, with as much as one may hold: user, name, request.

    `leaving` is a message of a topic in the channel with all users, `target` a channel with a tenth of them.
    """
    names = [f"more {number}" for number in range(MORE_CHANNELS)]
    channels = {"subscriptions": [{"name": name} for name in names]}
    fields = range(1, PROFILE_FIELDS + 1)
    terms = [{"operator": "sender", "operand": one, "negated": True} for one in people]
    page = {"anchor": "newest", "num_before": 100, "num_after": 0}
    draft = {"type": "private", "to": [*people][:19], "topic": "", "content": "x"}
    mine = "users/me/subscriptions"
    return [
        ("q3", f"joining {MORE_CHANNELS} channels", "POST", mine, channels),
        ("q3", f"leaving {MORE_CHANNELS} channels", "DELETE", mine, {"subscriptions": names}),
        ("q3", "register in 500 channels", "POST", "register", {}),
        ("q3", "10 people to 480 channels", "POST", mine, channels | {"principals": people[:10]}),
        (
            "q3",
            f"{PROFILE_FIELDS} answers in a profile",
            "PATCH",
            "users/me/profile_data",
            {"data": [{"id": one, "value": f"said {one}"} for one in fields]},
        ),
        (
            "q3",
            "people with their profiles",
            "GET",
            "users",
            {"include_custom_profile_fields": True},
        ),
        ("q3", f"without {len(people)} senders", "GET", "messages", page | {"narrow": terms}),
        (
            "q3",
            "a message to 290 people",
            "POST",
            "messages",
            {"type": "direct", "to": people[:290], "content": "x"},
        ),
        ("q3", "500 drafts", "POST", "drafts", {"drafts": [draft] * 500}),
        (
            "q3",
            "980 alert words",
            "POST",
            "users/me/alert_words",
            {"alert_words": [f"some long word {number}" for number in range(980)]},
        ),
        (
            "q3",
            "a message of 1,200 unknown names",
            "POST",
            "messages",
            {
                "type": "stream",
                "to": "channel 0",
                "topic": "tea",
                "content": " ".join(f"@**P {number}**" for number in range(1_200))[:10_000],
            },
        ),
        (
            "p0",
            "an account in 500 channels is closed",
            "DELETE",
            f"users/{people[10]}",
            {},
        ),
        ("p0", "a profile field is deleted", "DELETE", "realm/profile_fields/1", {}),
        (
            "p0",
            "a topic leaves 5,000 people",
            "PATCH",
            f"messages/{leaving}",
            {"stream_id": target, "topic": "moved away", "propagate_mode": "change_all"},
        ),
    ]
