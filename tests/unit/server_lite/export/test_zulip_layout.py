"""`export --format zulip`: the folder has what the import of a full server reads, column by column."""

import json
import re
import tarfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server_lite.export.zulip.layout import VERSIONS
from server_lite.export.zulip.writer import ExportSummary, export_for_zulip
from server_lite.store.database import Database
from tests.unit.server_lite.cli.conftest import Command
from tests.unit.server_lite.cli.conftest import command as command
from tests.unit.server_lite.export.organization import TWIN, rich_organization

Rows = list[dict[str, Any]]

# What the layout is made of, as derived from imports into a full server and a reading of newer ones.
# A column is `name:type`; `?` may be null, `@table` is the id of a row there, `>=N` demanded from that
# major version on and unknown before, `<N` the other way round.

_NOTIFY = " ".join(
    f"{name}_notifications:bool?" for name in ("desktop", "audible", "push", "email")
)
_PERSON = (
    "id:int realm:@zerver_realm delivery_email:address email:address full_name:str date_joined:time"
    " last_login:time? last_reminder:time? is_active:bool role:role is_bot:bool bot_type:int?"
    " bot_owner:@zerver_userprofile? default_sending_stream:@zerver_stream?"
    " default_events_register_stream:@zerver_stream? default_all_public_streams:bool"
    " last_active_message_id:int? user_permissions:list groups:list translate_emoticons:bool"
    " is_mirror_dummy:bool timezone:str avatar_source:str avatar_version:int is_superuser:bool"
    " is_staff:bool can_forge_sender:bool can_create_users:bool can_change_user_emails:bool>=10"
)
TABLES = {
    "zerver_realm": "id:int name:str string_id:str date_created:time deactivated:bool"
    " notifications_stream:@zerver_stream?<9 signup_notifications_stream:@zerver_stream?<9"
    " new_stream_announcements_stream:@zerver_stream?>=9"
    " signup_announcements_stream:@zerver_stream?>=9"
    " zulip_update_announcements_stream:@zerver_stream?>=9"
    " moderation_request_channel:@zerver_stream?>=10 mandatory_topics:bool<11 topics_policy:int>=11"
    " create_multiuse_invite_group:@zerver_usergroup<9",
    "zerver_client": "id:int name:str",
    "zerver_realmauthenticationmethod": "id:int realm:@zerver_realm name:str",
    "zerver_realmdomain": "id:int realm:@zerver_realm domain:str allow_subdomains:bool",
    "zerver_realmfilter": "id:int realm:@zerver_realm pattern:str url_template:str order:int",
    "zerver_realmplayground": "id:int realm:@zerver_realm name:str pygments_language:str"
    " url_template:str",
    "zerver_realmuserdefault": "id:int realm:@zerver_realm",
    "zerver_userprofile": _PERSON,
    "zerver_userprofile_mirrordummy": _PERSON,
    "zerver_userprofile_crossrealm": "id:int email:address recipient_id:@zerver_recipient",
    "zerver_stream": "id:int realm:@zerver_realm name:str description:str date_created:time"
    " deactivated:bool invite_only:bool history_public_to_subscribers:bool is_web_public:bool"
    " message_retention_days:int? stream_post_policy:int"
    " can_remove_subscribers_group:@zerver_usergroup<9 creator:@zerver_userprofile?>=9"
    " folder:@zerver_channelfolder?>=11 topics_policy:int>=11",
    "zerver_channelfolder": "id:int realm:@zerver_realm name:str description:str"
    " rendered_description:str order:int date_created:time creator:@zerver_userprofile?"
    " is_archived:bool",
    "zerver_defaultstream": "id:int realm:@zerver_realm stream:@zerver_stream",
    "zerver_recipient": "id:int type:int type_id:int",
    "zerver_huddle": "id:int huddle_hash:str recipient:@zerver_recipient group_size:int>=10",
    "zerver_subscription": "id:int user_profile:@zerver_userprofile recipient:@zerver_recipient"
    f" active:bool is_muted:bool color:color pin_to_top:bool {_NOTIFY}"
    " wildcard_mentions_notify:bool?",
    "zerver_usertopic": "id:int user_profile:@zerver_userprofile stream:@zerver_stream"
    " recipient:@zerver_recipient topic_name:str last_updated:time visibility_policy:int",
    "zerver_muteduser": "id:int user_profile:@zerver_userprofile muted_user:@zerver_userprofile"
    " date_muted:time",
    "zerver_alertword": "id:int realm:@zerver_realm user_profile:@zerver_userprofile word:str",
    "zerver_userstatus": "id:int user_profile:@zerver_userprofile timestamp:time"
    " client:@zerver_client status_text:str emoji_name:str emoji_code:str reaction_type:kind",
    "zerver_userpresence": "id:int user_profile:@zerver_userprofile realm:@zerver_realm"
    " last_connected_time:time last_active_time:time?",
    "zerver_useractivity": "",
    "zerver_useractivityinterval": "",
    "zerver_customprofilefield": "id:int realm:@zerver_realm name:str hint:str order:int"
    " field_type:int field_data:str display_in_profile_summary:bool",
    "zerver_customprofilefieldvalue": "id:int user_profile:@zerver_userprofile"
    " field:@zerver_customprofilefield value:str rendered_value:str?",
    "zerver_scheduledmessage": "id:int sender:@zerver_userprofile recipient:@zerver_recipient"
    " subject:str content:str rendered_content:str? sending_client:@zerver_client"
    " stream:@zerver_stream? realm:@zerver_realm scheduled_timestamp:time delivered:bool"
    " delivered_message:int? has_attachment:bool failed:bool failure_message:str?"
    " delivery_type:int request_timestamp:time>=11",
    "zerver_savedsnippet": "id:int realm:@zerver_realm user_profile:@zerver_userprofile title:str"
    " content:str date_created:time",
    "zerver_usergroup": "id:int realm:@zerver_realm name:str description:str is_system_group:bool"
    " can_mention_group:@zerver_usergroup",
    "zerver_usergroupmembership": "id:int user_group:@zerver_usergroup"
    " user_profile:@zerver_userprofile",
    "zerver_groupgroupmembership": "id:int supergroup:@zerver_usergroup subgroup:@zerver_usergroup",
    "zerver_realmemoji": "id:int realm:@zerver_realm name:str author:@zerver_userprofile"
    " file_name:str is_animated:bool deactivated:bool",
    "zerver_reaction": "id:int message:@zerver_message user_profile:@zerver_userprofile"
    " emoji_name:str emoji_code:str reaction_type:kind",
    "zerver_submessage": "id:int message:@zerver_message sender:@zerver_userprofile msg_type:str"
    " content:str",
    "zerver_message": "id:int realm:@zerver_realm sender:@anybody recipient:@zerver_recipient"
    " subject:str content:str rendered_content:str? rendered_content_version:int? date_sent:time"
    " sending_client:@zerver_client last_edit_time:time? edit_history:str? has_attachment:bool"
    " has_image:bool has_link:bool is_channel_message:bool>=11",
    "zerver_usermessage": "id:int user_profile:@zerver_userprofile message:@zerver_message"
    " flags_mask:int",
    "zerver_attachment": "id:int file_name:str path_id:str owner:@zerver_userprofile"
    " realm:@zerver_realm create_time:time size:int is_realm_public:bool? is_web_public:bool?"
    " messages:list scheduled_messages:list content_type:str?>=10",
}
ONLY_FROM = {"zerver_submessage": 10, "zerver_savedsnippet": 10, "zerver_channelfolder": 11}
ONLY_BEFORE = dict.fromkeys(
    ("zerver_usergroup", "zerver_usergroupmembership", "zerver_groupgroupmembership"), 9
)
SETTINGS = {"zerver_realm", "zerver_userprofile", "zerver_userprofile_mirrordummy"}
"""Rows that may have settings as well; those that every version knows are named in `OF_ALL`."""
_OF_ALL = """
emails_restricted_to_domains invite_required disallow_disposable_email_addresses
enable_spectator_access want_advertise_in_communities_directory inline_image_preview
inline_url_embed_preview digest_emails_enabled digest_weekday send_welcome_emails description
message_content_allowed_in_email_notifications name_changes_disabled email_changes_disabled
avatar_changes_disabled move_messages_within_stream_limit_seconds default_language org_type
move_messages_between_streams_limit_seconds waiting_period_threshold jitsi_server_url
message_content_delete_limit_seconds allow_message_editing message_retention_days
message_content_edit_limit_seconds default_code_block_language enable_read_receipts
enable_guest_user_indicator enter_sends left_side_userlist fluid_layout_width
high_contrast_mode translate_emoticons display_emoji_reaction_users twenty_four_hour_time
starred_message_counts color_scheme demote_inactive_streams web_mark_read_on_scroll_policy
emojiset user_list_style web_stream_unreads_count_display_policy
email_notifications_batching_period_seconds enable_stream_desktop_notifications
enable_stream_email_notifications enable_stream_push_notifications
enable_stream_audible_notifications notification_sound wildcard_mentions_notify
enable_followed_topic_desktop_notifications enable_followed_topic_email_notifications
enable_followed_topic_push_notifications enable_followed_topic_audible_notifications
enable_followed_topic_wildcard_mentions_notify enable_desktop_notifications
pm_content_in_desktop_notifications enable_sounds enable_offline_email_notifications
message_content_in_email_notifications enable_offline_push_notifications
enable_online_push_notifications desktop_icon_count_display enable_digest_emails
enable_login_emails enable_marketing_emails presence_enabled
realm_name_in_email_notifications_policy automatically_follow_topics_policy
automatically_unmute_topics_in_muted_streams_policy enable_drafts_synchronization
send_stream_typing_notifications send_private_typing_notifications send_read_receipts
email_address_visibility
"""
OF_ALL = frozenset(_OF_ALL.split())
ALWAYS = [name for name in TABLES if name not in (*ONLY_FROM, *ONLY_BEFORE)]
KINDS = {"unicode_emoji", "realm_emoji", "zulip_extra_emoji"}
FITS: dict[str, Callable[[Any], bool]] = {
    "int": lambda v: type(v) is int,
    "bool": lambda v: type(v) is bool,
    "str": lambda v: type(v) is str and "\0" not in v,
    "list": lambda v: type(v) is list and all(type(one) is int for one in v),
    "time": lambda v: type(v) in (int, float) and 0 <= v < 2**33,
    "role": lambda v: v in (100, 200, 300, 400, 600),
    "kind": lambda v: v in KINDS,
    "color": lambda v: bool(re.fullmatch("#[0-9a-f]{6}", v)),
    "address": lambda v: bool(re.fullmatch(r"[^@\s]+@[\w-]+(\.[\w-]+)+", v)),
}


class Dump:
    """An export as it lies there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.realm = json.loads((folder / "realm.json").read_bytes())
        self.tables: dict[str, Rows] = {
            name: rows for name, rows in self.realm.items() if name.startswith("zerver_")
        }
        self.tables |= json.loads((folder / "attachment.json").read_bytes())
        self.tables |= {"zerver_message": [], "zerver_usermessage": []}
        for path in sorted(folder.glob("messages-*.json")):
            for name, rows in json.loads(path.read_bytes()).items():
                self.tables[name] += rows
        self.ids = {name: {row["id"] for row in rows} for name, rows in self.tables.items()}
        dummies = self.ids["zerver_userprofile_mirrordummy"]
        self.ids["zerver_userprofile"] |= dummies
        bots = {row["id"] for row in self.tables["zerver_userprofile_crossrealm"]}
        self.ids["anybody"] = self.ids["zerver_userprofile"] | bots

    def of(self, table: str) -> Rows:
        return self.tables.get(table, [])

    def list(self, name: str) -> Rows:
        rows: Rows = json.loads((self.folder / name / "records.json").read_bytes())
        return rows


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The organization that is exported."""
    path = tmp_path_factory.mktemp("rich") / "team.db"
    rich_organization(path)
    return path


@pytest.fixture(scope="module")
def written(rich: Path) -> dict[int, tuple[Dump, ExportSummary]]:
    """Its exports, by version."""
    made = {}
    for version in VERSIONS:
        out = rich.with_name(f"zulip-{version}")
        told = export_for_zulip(rich, out, version=version, tell=lambda _done, _of: None)
        made[version] = Dump(out), told
    return made


def columns(text: str, version: int) -> dict[str, tuple[str, bool]]:
    """Name -> (type, whether it may be null) of the columns that a version has."""
    types = {}
    for name, kind, null, sign, limit in re.findall(r"(\w+):(@?\w+)(\??)(>=|<)?(\d+)?", text):
        if not sign or (version >= int(limit)) == (sign == ">="):
            types[name] = kind, bool(null)
    return types


def wrong(dump: Dump, table: str, version: int) -> list[str]:
    """What is not as the import wants it."""
    known = columns(TABLES[table], version)
    optional = OF_ALL if table in SETTINGS | {"zerver_realmuserdefault"} else frozenset()
    problems = []
    for row in dump.of(table):
        problems += [f"{table}: no {name}" for name in known.keys() - row.keys()]
        problems += [f"{table}: unknown {name}" for name in row.keys() - known.keys() - optional]
        for name, (kind, may_be_null) in known.items():
            value = row.get(name)
            if value is None:
                fits = may_be_null
            elif kind.startswith("@"):
                fits = value in dump.ids[kind[1:]]
            else:
                fits = FITS[kind](value)
            if not fits:
                problems.append(f"{table}.{name}: {value!r}")
    if len(dump.ids[table]) < len(dump.of(table)):
        problems.append(f"{table}: ids given twice")
    return problems


@pytest.mark.parametrize("version", VERSIONS)
def test_each_table_has_the_columns_of_its_version(
    written: dict[int, tuple[Dump, ExportSummary]], version: int
) -> None:
    """An unknown column, a missing one or a reference that leads nowhere would stop the import."""
    dump, _ = written[version]
    there = {name for name, since in ONLY_FROM.items() if version >= since}
    there |= {name for name, before in ONLY_BEFORE.items() if version < before}
    assert dump.tables.keys() == {*ALWAYS, *there}
    mistakes = [one for table in dump.tables for one in wrong(dump, table, version)]
    assert mistakes == []
    assert [name for name in dump.tables if not dump.of(name) and "activity" not in name] == [
        "zerver_userprofile_mirrordummy"
    ]
    assert "uuid" not in dump.of("zerver_realm")[0]
    assert dump.realm["import_source"] == "zulip"
    assert json.loads((dump.folder / "migration_status.json").read_bytes()) == {
        "zulip_version": f"{version}.0",
        "migrations_by_app": {},
    }


@pytest.mark.parametrize("version", VERSIONS)
def test_everybody_and_every_place_has_a_recipient(
    written: dict[int, tuple[Dump, ExportSummary]], version: int
) -> None:
    """One for each person, channel and group of people, and the subscriptions by which they are known."""
    dump, _ = written[version]
    wanted = {1: dump.ids["anybody"], 2: dump.ids["zerver_stream"], 3: dump.ids["zerver_huddle"]}
    owners = {(row["type"], row["type_id"]): row["id"] for row in dump.of("zerver_recipient")}
    assert owners.keys() == {(kind, one) for kind, ids in wanted.items() for one in ids}
    subscribed = {(one["user_profile"], one["recipient"]) for one in dump.of("zerver_subscription")}
    assert {(one, owners[1, one]) for one in dump.ids["zerver_userprofile"]} <= subscribed
    for group in dump.of("zerver_huddle"):
        members = [person for person, place in subscribed if place == group["recipient"]]
        assert len(members) >= 3
        assert group.get("group_size", len(members)) == len(members)
    roles = [row["role"] for row in dump.of("zerver_userprofile") if row["is_active"]]
    assert 100 in roles
    addresses = [row["delivery_email"].lower() for row in dump.of("zerver_userprofile")]
    assert len(set(addresses)) == len(addresses)


@pytest.mark.parametrize("version", VERSIONS)
def test_messages_keep_the_laws_of_the_import(
    written: dict[int, tuple[Dump, ExportSummary]], version: int
) -> None:
    """Histories that can be shown, flags of those who had a message, names of topics and emoji."""
    dump, _ = written[version]
    kinds = {row["id"]: row["type"] for row in dump.of("zerver_recipient")}
    ids = [row["id"] for row in dump.of("zerver_message")]
    assert ids == sorted(ids)
    names = {row["id"]: row["name"] for row in dump.of("zerver_realmemoji")}
    assert all(
        names[int(one["emoji_code"])] == one["emoji_name"]
        for one in dump.of("zerver_reaction")
        if one["reaction_type"] == "realm_emoji"
    )
    people = dump.ids["anybody"]
    direct = {row["id"] for row in dump.of("zerver_message") if kinds[row["recipient"]] != 2}
    for row in dump.of("zerver_message"):
        is_direct = row["id"] in direct
        assert row.get("is_channel_message", not is_direct) is not is_direct
        if is_direct:
            assert row["subject"] == ("\x07" if version >= 12 else "")
        elif version < 10:
            assert row["subject"]
        assert (row["rendered_content"] is None) == (row["rendered_content_version"] is None)
        if row["edit_history"] is not None:
            entries = json.loads(row["edit_history"])
            assert int(row["last_edit_time"]) == entries[0]["timestamp"]
            times = [entry["timestamp"] for entry in entries]
            assert times == sorted(times, reverse=True)
            assert all(entry["user_id"] in people for entry in entries)
            assert all(
                type(entry["prev_rendered_content"]) is str
                for entry in entries
                if "prev_content" in entry
            )
    had = Counter((row["message"], row["user_profile"]) for row in dump.of("zerver_usermessage"))
    assert set(had.values()) == {1}
    for row in dump.of("zerver_usermessage"):
        assert bool(row["flags_mask"] & 2048) == (row["message"] in direct)
        assert row["flags_mask"] < 4096


@pytest.mark.parametrize("version", VERSIONS)
def test_files_lie_where_the_lists_say(
    written: dict[int, tuple[Dump, ExportSummary]], version: int
) -> None:
    """Uploads, pictures and emoji with their sizes; every attachment has its file and its messages."""
    dump, _ = written[version]
    for name in ("uploads", "avatars", "emoji", "realm_icons"):
        for record in dump.list(name):
            path = dump.folder / name / record["path"]
            assert record["path"] == record["s3_path"]
            assert path.stat().st_size == record.get("size", path.stat().st_size) > 0
        files = [one for one in (dump.folder / name).rglob("*") if one.is_file()]
        assert len(files) == len(dump.list(name)) + 1
    uploads = {record["path"] for record in dump.list("uploads")}
    contents = {row["id"]: row["content"] for row in dump.of("zerver_message")}
    for row in dump.of("zerver_attachment"):
        assert row["path_id"] in uploads
        assert row["path_id"].endswith(f"/{row['file_name']}")
        assert all(row["path_id"] in contents[one] for one in row["messages"])
    faces = {record["user_profile_id"] for record in dump.list("avatars")}
    assert faces == {
        one["id"] for one in dump.of("zerver_userprofile") if one["avatar_source"] == "U"
    }
    assert faces


def test_who_had_which_message_goes_along(
    rich: Path, written: dict[int, tuple[Dump, ExportSummary]]
) -> None:
    """Unread, starred and mentioned as here; after somebody left a private channel nothing came to them."""
    dump, _ = written[11]
    database = Database(rich)
    try:
        unread = set(
            database.reader.rows("SELECT message_id, user_id FROM unread WHERE user_id > 1")
        )
        starred = set(
            database.reader.rows("SELECT message_id, user_id FROM flag WHERE flag = 'starred'")
        )
    finally:
        database.close()
    rows = dump.of("zerver_usermessage")
    assert {(one["message"], one["user_profile"]) for one in rows if not one["flags_mask"] & 1} == (
        unread
    )
    assert {(one["message"], one["user_profile"]) for one in rows if one["flags_mask"] & 2} == (
        starred
    )
    texts = {one["content"]: one["id"] for one in dump.of("zerver_message")}
    had = {(one["message"], one["user_profile"]) for one in rows}
    tom = next(one["id"] for one in dump.of("zerver_userprofile") if "tom@" in one["email"])
    assert (texts["the first plan"], tom) in had
    assert (texts["not for Tom"], tom) not in had
    mention = next(text for text in texts if "#T42" in text)
    assert mention.startswith("@**Mei Tanaka** and @**" + TWIN + "|")


def test_what_the_layout_cannot_hold_is_said(
    rich: Path, command: Command, written: dict[int, tuple[Dump, ExportSummary]]
) -> None:
    """Counted on both sides, and nothing is left out in silence."""
    for version, (_, told) in written.items():
        assert [noun for noun, (here, there) in told.counts.items() if here != there] == [], version
    old, new = written[8][1].left_out, written[12][1].left_out
    both = {
        "drafts",
        "reminders",
        "mentions of people who share a name",
        "addresses of outgoing webhooks",
    }
    assert {*both, "saved snippets", "channel folders"} <= old.keys()
    assert {*both, "user groups"} <= new.keys()
    assert {"saved snippets", "channel folders"}.isdisjoint(new)
    assert "user groups" not in old
    stats = (written[12][0].folder / "stats.txt").read_text("utf-8")
    assert "User group keepers: tom@lighthouse.example, mei@lighthouse.example" in stats
    out = rich.with_name("team.tar.gz")
    done = command("export", "--db", rich, "--format", "zulip", "--zulip", "12", "--out", out)
    assert (done.code, done.err) == (0, "")
    assert "Not included: drafts (1)." in done.out
    with tarfile.open(out) as archive:
        assert "team/realm.json" in archive.getnames()
        assert {one.mode & 0o077 for one in archive} == {0}
    assert out.stat().st_mode & 0o077 == 0
    assert [one.name for one in rich.parent.iterdir() if one.name.startswith(".team")] == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--format", "zulip", "--person", "tom@lighthouse.example"), "--person is for JSON lines"),
        (("--zulip", "9"), "add that, or leave it out"),
        (("--format", "zulip"), "already exists"),
    ],
)
def test_a_refused_export_leaves_nothing(
    rich: Path, command: Command, words: tuple[str, ...], sentence: str
) -> None:
    """One sentence, and what was there is untouched."""
    out = rich.with_name("there")
    out.mkdir(exist_ok=True)
    refused = command("export", "--db", rich, "--out", out, *words)
    assert (refused.code, sentence in refused.err) == (1, True)
    assert list(out.iterdir()) == []
