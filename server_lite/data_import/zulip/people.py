"""Users and bots with their personal data, as records. Reads only."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import field
from typing import Final

from server_lite.data_import.checked import checked
from server_lite.data_import.source import Placed
from server_lite.data_import.zulip import rows
from server_lite.data_import.zulip.dump import Dump
from server_lite.data_import.zulip.numbers import PROFILES, Numbers
from server_lite.data_import.zulip.organization import personal_settings
from server_lite.data_import.zulip.text import topic_here
from server_lite.dataclass import dataclass
from server_lite.export import format as form
from server_lite.ids import ChannelId
from server_lite.store.users import NOTIFICATION_BOT, Role

KINDS: Final = {
    "": "",
    "unicode_emoji": "unicode_emoji",
    "realm_emoji": "realm_emoji",
    "zulip_extra_emoji": "service_extra_emoji",
    "service_extra_emoji": "service_extra_emoji",
}
"""Types of emoji in the export -> ours."""


def people(
    dump: Dump, numbers: Numbers, pictures: set[int], left_out: Counter[str]
) -> Iterator[Placed]:
    """Yield all accounts, people before bots; `pictures` are IDs of those with an avatar."""
    personal = _personal(dump, numbers, left_out)
    placed = []
    for table in PROFILES:
        is_stub = table == PROFILES[1]
        for where, raw in dump.raw(table):
            row = checked(rows.Profile, raw, where)
            number = numbers.person(row.id, where)
            own = personal.get(number, _Personal())
            record = form.Person(
                id=number,
                email=row.delivery_email or row.email,
                name=row.full_name,
                role=Role(row.role).name.lower(),  # type: ignore[arg-type]  # the names are those of the form
                is_active=row.is_active,
                joined=row.date_joined,
                timezone=row.timezone[:100],
                bot_type=(row.bot_type or 1) if row.is_bot else None,
                owner=numbers.perhaps(row.bot_owner),
                is_stub=is_stub or row.is_mirror_dummy,
                has_picture=number in pictures,
                settings=personal_settings(raw),
                status=own.status,
                active=own.active,
                connected=own.connected,
                profile=own.profile,
                alert_words=own.alert_words,
                muted=own.muted,
                snippets=own.snippets,
                topics=own.topics,
            )
            placed.append((row.is_bot, number, where, record))
    for _, _, where, record in sorted(placed, key=lambda one: one[:2]):
        yield where, record


@dataclass(slots=True)
class _Personal:
    """The fields of a Person that have tables of their own."""

    status: form.Status | None = None
    active: float | None = None
    connected: float | None = None
    profile: dict[str, str] = field(default_factory=dict)
    alert_words: list[str] = field(default_factory=list)
    muted: list[tuple[int, float]] = field(default_factory=list)
    snippets: list[form.Snippet] = field(default_factory=list)
    topics: list[form.TopicPolicy] = field(default_factory=list)


def _personal(dump: Dump, numbers: Numbers, left_out: Counter[str]) -> dict[int, _Personal]:
    by_person: dict[int, _Personal] = defaultdict(_Personal)
    for where, seen in dump.table("zerver_userpresence", rows.Presence):
        if seen.last_connected_time is not None:
            own = by_person[numbers.person(seen.user_profile, where)]
            own.active, own.connected = seen.last_active_time, seen.last_connected_time
    for where, status in dump.table("zerver_userstatus", rows.Status):
        kind = KINDS.get(status.reaction_type, "") if status.emoji_name else ""
        by_person[numbers.person(status.user_profile, where)].status = form.Status(
            text=status.status_text[:60],
            emoji=status.emoji_name[:100] if kind else "",
            kind=kind,  # type: ignore[arg-type]  # the names are those of the form
            code=status.emoji_code[:100] if kind else "",
        )
    for where, alert in dump.table("zerver_alertword", rows.AlertWord):
        by_person[numbers.person(alert.user_profile, where)].alert_words.append(alert.word[:100])
    for where, mute in dump.table("zerver_muteduser", rows.MutedUser):
        muted = numbers.person(mute.muted_user, where), mute.date_muted
        by_person[numbers.person(mute.user_profile, where)].muted.append(muted)
    for where, field_value in dump.table("zerver_customprofilefieldvalue", rows.ProfileValue):
        own = by_person[numbers.person(field_value.user_profile, where)]
        own.profile[str(field_value.field)] = field_value.value[:20_000]
    for where, kept in dump.table("zerver_savedsnippet", rows.Snippet):
        snippet = form.Snippet(
            title=kept.title[:60], content=kept.content[:10_000], created=kept.date_created
        )
        by_person[numbers.person(kept.user_profile, where)].snippets.append(snippet)
    for where, topic in dump.table("zerver_usertopic", rows.UserTopic):
        if topic.visibility_policy:
            policy = form.TopicPolicy(
                channel=ChannelId(topic.stream),
                topic=topic_here(topic.topic_name),
                policy=topic.visibility_policy,  # type: ignore[arg-type]  # 1 to 3: checked
                updated=topic.last_updated,
            )
            by_person[numbers.person(topic.user_profile, where)].topics.append(policy)
    if by_person.pop(NOTIFICATION_BOT, None) is not None:
        left_out["what concerns the server's own bots"] += 1
    return by_person
