"""An organization with every kind of object that can be exported: the example, and what it lacks."""

from dataclasses import replace
from pathlib import Path

from server_lite.access.message_validation import normalize_content
from server_lite.access.recipients import ChannelRecipient, DirectRecipient
from server_lite.actions import avatars, flags, subscriptions, user_groups
from server_lite.actions.channels import archive
from server_lite.actions.messages import send_message
from server_lite.actions.reactions import react
from server_lite.actions.uploads import slices
from server_lite.actions.users import create_user, deactivate
from server_lite.demo import stage
from server_lite.ids import UserId
from server_lite.image_header import image_of
from server_lite.store import (
    alert_words,
    bots,
    channels,
    custom_emoji,
    domains,
    drafts,
    history,
    linkifiers,
    messages,
    muted_users,
    playgrounds,
    presence,
    profile_fields,
    saved_snippets,
    scheduled_messages,
    settings,
    user_topics,
    users,
)
from server_lite.store import avatars as pictures
from server_lite.store.bots import BotRow
from server_lite.store.database import Database, Tx
from server_lite.store.domains import DomainRow
from server_lite.store.drafts import DraftRow
from server_lite.store.linkifiers import LinkifierForm
from server_lite.store.messages import MessageRow
from server_lite.store.profile_fields import FieldForm, ValueRow
from server_lite.store.scheduled_messages import ScheduledRow
from server_lite.store.users import Role

TWIN = "Sam Bright"
"""A name of two users."""


def rich_organization(path: Path) -> None:
    """Write the organization to a new file."""
    stage.create(path, "hashed")
    database = Database(path)
    try:
        for add in (_people, _channels, _talk, _kept):
            database.write_now(add)
    finally:
        database.close()


def _people(tx: Tx) -> None:
    everyone = {one.email.partition("@")[0]: one for one in users.everyone(tx)}
    vera, tom, mei = (everyone[name] for name in ("vera", "tom", "mei"))
    gone = create_user(
        tx, email="gone@x.org", full_name="Gone Girl", role=Role.MEMBER, password=None
    )
    create_user(tx, email="twin@x.org", full_name=TWIN, role=Role.MODERATOR, password=None)
    deactivate(tx, gone)
    users.set_value(tx, vera.id, "timezone", "Europe/Stockholm")
    users.set_settings(tx, vera.id, {"email_address_visibility": 3, "enter_sends": False})
    users.set_settings(tx, tom.id, {"web_font_size_px": 20, "twenty_four_hour_time": True})
    settings.store(tx, "personal_defaults", {"color_scheme": 2})
    text = profile_fields.insert(
        tx, 1, FieldForm(name="Cup", hint="Which?", display_in_summary=True)
    )
    friends = profile_fields.insert(tx, 6, FieldForm(name="Friends"))
    profile_fields.set_value(tx, ValueRow(tom.id, text, "the **blue** one", "<p>x</p>"))
    profile_fields.set_value(tx, ValueRow(tom.id, friends, f"[{vera.id}]", None))
    alert_words.insert(tx, tom.id, ["lamp", "Lens"])
    muted_users.insert(tx, tom.id, mei.id, 1_700_000_000)
    presence.store(tx, tom.id, 1_700_000_001.5, 1_700_000_002.0)
    saved_snippets.insert(tx, tom.id, "hello", "Hello **there**", 1_700_000_003.0)
    image = custom_emoji.image_of(tx, 1) or b""
    header = image_of(image)
    assert header is not None
    picture = avatars.begin(tx, header, len(image))
    for number, part in slices(image):
        pictures.add_slice(tx, picture, number, part)
    avatars.give(tx, tom, picture)
    bot = next(one for one in everyone.values() if one.is_bot and not one.is_system_bot)
    bots.store(tx, BotRow(user_id=bot.id, payload_url="https://x.org", config_data={}))


def _channels(tx: Tx) -> None:
    owner = users.first_owner(tx)
    tom = users.by_email(tx, "tom@lighthouse.example")
    assert owner is not None
    assert tom is not None
    old = channels.insert(
        tx,
        name="old plans",
        description="*Before*",
        rendered_description="",
        creator_id=owner.id,
        now=1_700_000_000.0,
        invite_only=True,
        is_web_public=False,
        history_public_to_subscribers=False,
        is_default=False,
        message_retention_days=30,
        topics_policy="allow_empty_topic",
        folder_id=None,
        group_settings={"can_send_message_group": 2},
    )
    row = channels.by_id(tx, old)
    assert row is not None
    subscriptions.subscribe(tx, [row], [owner, tom])
    _say(tx, owner.id, row.name, "plan", "the first plan")
    subscriptions.unsubscribe(tx, [row], [tom])
    _say(tx, owner.id, row.name, "", "not for Tom")
    archive(tx, row)
    settings.store(tx, "new_stream_announcements_stream_id", 1)
    settings.store(tx, "message_content_edit_limit_seconds", None)
    settings.store(tx, "name_changes_disabled", True)
    for form in (
        LinkifierForm(
            pattern=r"#T(?P<id>[0-9]+)",
            url_template="https://x.org/{id}",
            example_input=None,
            reverse_template=None,
            alternative_url_templates=(),
        ),
    ):
        linkifiers.insert(tx, form)
    playgrounds.insert(
        tx, name="Rust", pygments_language="Rust", url_template="https://x.org/{code}"
    )
    domains.store(tx, DomainRow("x.org", allow_subdomains=True))
    first = channels.where(tx, "name = 'tea'")[0]
    subscriptions.set_property(tx, tom, first, "desktop_notifications", True)
    subscriptions.set_property(tx, tom, first, "pin_to_top", True)
    user_topics.store(tx, tom.id, first.id, "biscuits", 1, 1_700_000_004.0)
    everyone = {one.email.partition("@")[0]: one.id for one in users.everyone(tx)}
    user_groups.create(
        tx,
        owner,
        name="both",
        description="A group of groups",
        members=[everyone["vera"]],
        subgroups=tx.column("SELECT id FROM user_group WHERE name = 'keepers'"),
        group_settings={},
    )


def _say(tx: Tx, sender_id: UserId, channel: str, topic: str, text: str) -> MessageRow:
    sender, row = users.by_id(tx, sender_id), channels.by_name(tx, channel)
    assert sender is not None
    assert row is not None
    send_message(
        tx, sender, ChannelRecipient(row, topic), normalize_content(text), client="website"
    )
    newest = messages.by_id(tx, tx.value("SELECT max(id) FROM message"))
    assert newest is not None
    return newest


def _tell(tx: Tx, sender_id: UserId, others: list[UserId], text: str) -> None:
    people = users.by_ids(tx, {sender_id, *others})
    sender = next(one for one in people if one.id == sender_id)
    send_message(tx, sender, DirectRecipient(tuple(people)), normalize_content(text), client="")


def _talk(tx: Tx) -> None:
    ids = {one.email.partition("@")[0]: one.id for one in users.everyone(tx)}
    tom, mei, sam = (ids[name] for name in ("tom", "mei", "sam"))
    row = _say(tx, tom, "tea", "", f"@**Mei Tanaka|{mei}** and @**{TWIN}|{sam}**: #T42")
    person = users.by_id(tx, mei)
    assert person is not None
    react(tx, person, row, name="zulip", code=None, type=None)
    react(tx, person, row, name="tea", code=None, type=None)
    flags.set_flag(tx, person, "starred", [row.id])
    flags.set_flag(tx, person, "collapsed", [row.id])
    _say(tx, tom, "tea", "where", f"See #narrow/channel/1-a/topic/b/near/{row.id} and ```py\nx```")
    for sender, others in (
        (tom, [mei]),
        (mei, [tom]),
        (tom, []),
        (tom, [mei, sam]),
        (users.NOTIFICATION_BOT, [tom]),
    ):
        _tell(tx, sender, others, "psst")
    moved = _say(tx, mei, "tea", "there", "said elsewhere")
    history.add(
        tx,
        [moved.id],
        {
            "user_id": mei,
            "timestamp": 1_700_000_100,
            "prev_topic": "here",
            "topic": "there",
            "prev_stream": 1,
            "stream": moved.channel_id or 0,
        },
    )
    tx.run("UPDATE message SET last_moved = 1700000100 WHERE id = ?", moved.id)


def _kept(tx: Tx) -> None:
    ids = {one.email.partition("@")[0]: one.id for one in users.everyone(tx)}
    tom, mei, sam = (ids[name] for name in ("tom", "mei", "sam"))
    later = ScheduledRow(
        id=0,
        user_id=tom,
        channel_id=channels.where(tx, "name = 'tea'")[0].id,
        people=[],
        topic="tomorrow",
        content="Good *morning*",
        rendered="<p>Good <em>morning</em></p>",
        due=4_000_000_000,
        read_by_sender=None,
        client="website",
        failed=False,
        target_id=None,
    )
    scheduled_messages.insert(tx, later)
    scheduled_messages.insert(
        tx, replace(later, channel_id=None, people=[mei, sam], topic="", failed=True)
    )
    scheduled_messages.insert(tx, replace(later, channel_id=None, target_id=1))
    drafts.insert(
        tx,
        DraftRow(0, tom, "", [], "", "a thought", 1.0),
    )
