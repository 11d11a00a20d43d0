"""Rules of a full server that its recordings and unmodified clients showed: answers, codes, events."""

from pathlib import Path
from typing import Any

import pytest

from server_lite.access.emoji import EXTRA
from server_lite.actions.bots import MAX_STORAGE
from server_lite.routes import TABLE
from server_lite.store.users import Role
from tests.live import Person, live

Ask = tuple[str, str, dict[str, Any]]
"""Method, path and parameters."""


async def channel(ann: Person, *others: Person, name: str = "general", **more: Any) -> int:
    made = await ann.post(
        "channels/create",
        name=name,
        subscribers=[ann.id, *(one.id for one in others)],
        send_new_subscription_messages=False,
        **more,
    )
    number: int = made["id"]
    return number


async def said(who: Person, content: str = "hello", **more: Any) -> int:
    form = {"type": "stream", "to": "general", "topic": "tea", "content": content} | more
    number: int = (await who.post("messages", **form))["id"]
    return number


REFUSED: list[tuple[Ask, str, str]] = [
    (("PATCH", "settings", {"default_language": "xx"}), "BAD_REQUEST", "Invalid default_language"),
    (
        ("GET", "events", {"queue_id": "x"}),
        "REQUEST_VARIABLE_MISSING",
        "Missing 'last_event_id' argument",
    ),
    (
        (
            "GET",
            "messages",
            {"anchor": "1", "num_before": 1, "num_after": 1, "include_anchor": False},
        ),
        "BAD_REQUEST",
        "The anchor can only be excluded at an end of the range",
    ),
    (
        (
            "GET",
            "messages",
            {
                "anchor": "newest",
                "num_before": 1,
                "num_after": 0,
                "narrow": [{"operator": "search", "operand": ""}],
            },
        ),
        "BAD_NARROW",
        "Invalid narrow operator: operand cannot be blank.",
    ),
    (
        ("POST", "register", {"narrow": [["bogus", "x"]]}),
        "BAD_REQUEST",
        "Operator bogus not supported.",
    ),
    (
        ("DELETE", "users/me/subscriptions", {"subscriptions": ["nope", "no"]}),
        "BAD_REQUEST",
        "Channel(s) (nope, no) do not exist",
    ),
    (
        ("DELETE", "users/me/subscriptions", {"subscriptions": ["general"], "principals": [2]}),
        "BAD_REQUEST",
        "Insufficient permission",
    ),
]


async def test_what_a_full_server_refuses_is_refused_in_its_words(tmp_path: Path) -> None:
    """Programs tell errors apart by their codes, and people by their words."""
    async with live(tmp_path) as server:
        ann, bob = await server.person("Ann", role=Role.OWNER), await server.person("Bob")
        await channel(ann, bob)
        for (method, path, form), code, message in REFUSED:
            answer = await bob.ask(method, path, **form)
            assert (answer.get("code"), answer["msg"]) == (code, message), path
        due = {"scheduled_delivery_timestamp": 4_000_000_000}
        form = {"type": "direct", "to": [ann.id], "content": "x", **due}
        later = (await bob.post("scheduled_messages", **form))["scheduled_message_id"]
        assert (await bob.patch(f"scheduled_messages/{later}"))["msg"] == "Nothing to change"


async def test_reactions_say_who_reacted(tmp_path: Path) -> None:
    """Clients that do not look people up show whose reaction it is, and can take theirs back."""
    async with live(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        await channel(ann, bob)
        number = await said(ann)
        queue = await ann.post("register", event_types=["reaction"])
        await ann.post(f"messages/{number}/reactions", emoji_name="thumbs_up")
        await bob.post(f"messages/{number}/reactions", emoji_name="+1")
        await bob.delete(f"messages/{number}/reactions", emoji_name="+1")
        told = await ann.events(queue)
        theirs = {"user_id": bob.id, "email": bob.email, "full_name": "Bob"}
        assert [event["user"] for event in told[1:]] == [theirs, theirs]
        assert {event["emoji_name"] for event in told} == {"thumbs_up"}
        (reaction,) = (await bob.get(f"messages/{number}"))["message"]["reactions"]
        assert reaction["user"] == {
            "id": ann.id,
            "email": ann.email,
            "full_name": "Ann",
            "is_mirror_dummy": False,
        }


async def test_another_alias_or_name_joins_by_its_code(tmp_path: Path) -> None:
    """Who reacts with an emoji that is there adds a vote, whatever they call it."""
    async with live(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        await channel(ann, bob)
        path = f"messages/{await said(ann)}/reactions"
        await ann.post(path, emoji_name="+1")
        twice = await ann.post(path, emoji_name="thumbs_up")
        assert twice["code"] == "REACTION_ALREADY_EXISTS"
        joined = await bob.post(path, emoji_name="tada", emoji_code="1f44d")
        assert joined["result"] == "success"


@pytest.mark.parametrize("kind", ["public", "private"])
async def test_a_bot_hears_its_name_where_it_may_read(tmp_path: Path, kind: str) -> None:
    """A bot that is called in a channel which it has not subscribed to can answer, if it may read it."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        made = await ann.post("bots", full_name="Tea Bot", short_name="tea", bot_type=1)
        email = (await ann.get(f"users/{made['user_id']}"))["user"]["email"]
        http = server.client(auth=(email, made["api_key"]))
        bot = Person(made["user_id"], email, made["api_key"], http)
        await channel(ann, invite_only=kind == "private")
        queue = await bot.post("register", event_types=["message"])
        number = await said(ann, "@**Tea Bot** kettle")
        await said(ann, "nobody was called")
        told = [
            (event["message"]["id"], "mentioned" in event["flags"])
            for event in await bot.events(queue)
        ]
        assert told == ([(number, True)] if kind == "public" else [])
        page = await bot.get(
            "messages",
            anchor="newest",
            num_before=5,
            num_after=0,
            narrow=[{"operator": "is", "operand": "mentioned"}],
        )
        assert [one["id"] for one in page["messages"]] == [one for one, _ in told]


@pytest.mark.parametrize(
    ("client", "is_read"),
    [
        ("ZulipMobile/27.1", True),
        ("ZulipTerminal/0.7", True),
        ("Chinwag/1", True),
        ("ZulipRSS/0.9", False),
        ("MyTool/1", False),
        ("python-requests/2", False),
    ],
)
async def test_only_what_is_sent_with_a_known_client_is_read_at_once(
    tmp_path: Path, client: str, is_read: bool
) -> None:
    """What an integration writes with my key is news to me; what I type is not."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        await channel(ann)
        ann.http.headers["User-Agent"] = client
        flags = (await ann.get(f"messages/{await said(ann)}"))["message"]["flags"]
        assert ("read" in flags) == is_read


async def test_a_new_channel_says_who_made_it(tmp_path: Path) -> None:
    """A channel has a first message and a topic as soon as it is made; its maker has read it."""
    async with live(tmp_path, channel_events=True) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        number = await channel(ann, bob, description="All of tea.")
        await ann.post("users/me/subscriptions", subscriptions=[{"name": "fresh"}])
        (topic,) = (await bob.get(f"users/me/{number}/topics"))["topics"]
        assert topic["name"] == "channel events"
        fetched = await bob.get(f"messages/{topic['max_id']}", apply_markdown=False)
        assert fetched["message"]["content"] == (
            f"**Public** channel created by @_**Ann|{ann.id}**. **Description:**\n"
            "```` quote\nAll of tea.\n````"
        )
        assert "read" not in fetched["message"]["flags"]
        unread = (
            await ann.post("register", fetch_event_types=["message", "update_message_flags"])
        )["unread_msgs"]
        assert unread["count"] == 0


async def test_drafts_take_what_clients_send(tmp_path: Path) -> None:
    """Times with a fraction are times, and a topic that is too long is cut as when it is sent."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        number = await channel(ann)
        draft = {"type": "", "to": [], "topic": "", "content": "x", "timestamp": 1595479020.5}
        long = {"type": "stream", "to": [number], "topic": "t" * 61, "content": "x"}
        assert len((await ann.post("drafts", drafts=[draft, long]))["ids"]) == 2
        (first, second) = (await ann.get("drafts"))["drafts"]
        assert (first["timestamp"], second["topic"]) == (1595479020, "t" * 57 + "...")


async def test_a_topic_that_can_be_sent_to_can_be_muted(tmp_path: Path) -> None:
    """Emoji that are newer than the server's tables of characters are no different from others."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        number = await channel(ann)
        topic = "\U0001fae8 \U0001fadf"
        await said(ann, topic=topic)
        muted = await ann.post("user_topics", stream_id=number, topic=topic, visibility_policy=1)
        assert muted["result"] == "success"


async def test_changed_settings_are_answered(tmp_path: Path) -> None:
    """PATCH /realm says what is new, and nothing of what was so before."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        answer = await ann.patch(
            "realm", message_content_edit_limit_seconds="unlimited", name="Tea"
        )
        assert answer["message_content_edit_limit_seconds"] is None
        assert "name" not in await ann.patch("realm", name="Tea", invite_required=False)


async def test_known_providers_need_no_address(tmp_path: Path) -> None:
    """An account at a known provider is a field without more data, and register lists the providers."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        data = {"subtype": "github"}
        made = await ann.post("realm/profile_fields", name="GH", field_type=7, field_data=data)
        assert made["result"] == "success"
        state = await ann.post("register", fetch_event_types=["realm"])
        known = state["realm_default_external_accounts"]["github"]
        assert known["url_pattern"] == "https://github.com/%(username)s"


async def test_a_wrong_pattern_is_explained_as_it_was_written(tmp_path: Path) -> None:
    """What the server puts around a pattern is no business of who wrote it."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        form = {"pattern": "(foo", "url_template": "https://x.example/{id}"}
        refused = await ann.post("realm/filters", **form)
        assert refused["msg"] == "Bad regular expression: missing ): (foo"
        assert refused["errors"] == {"pattern": [refused["msg"]]}
        form = {"name": "P", "pygments_language": "Python", "url_template": "https://x.example/"}
        refused = await ann.post("realm/playgrounds", **form)
        assert refused["errors"] == {"__all__": [refused["msg"]]}


async def test_flags_of_what_is_gone_are_no_error(tmp_path: Path) -> None:
    """The answer names what was asked for; a range that is too large is reduced."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        form = {"op": "add", "flag": "read"}
        answer = await ann.post("messages/flags", messages=[9_999_999], **form)
        assert answer["messages"] == [9_999_999]
        wide = {"anchor": "newest", "num_before": 100_000, "num_after": 100_000}
        assert (await ann.post("messages/flags/narrow", **wide, **form))["result"] == "success"


async def test_a_bot_may_ask_who_is_here(tmp_path: Path) -> None:
    """Presence can be read by bots, though they have none themselves."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        made = await ann.post("bots", full_name="Tea Bot", short_name="tea", bot_type=1)
        email = (await ann.get(f"users/{made['user_id']}"))["user"]["email"]
        http = server.client(auth=(email, made["api_key"]))
        bot = Person(made["user_id"], email, made["api_key"], http)
        assert "presences" in await bot.get("realm/presence")


def test_a_storage_is_measured_in_characters() -> None:
    """A form may have more bytes than a bot's storage has characters, because many are escaped on the way."""
    contract, _ = TABLE.find("PUT", "bot_storage")
    assert contract.body_bytes == 25 * 1024 * 1024 > 2 * MAX_STORAGE


async def test_any_password_will_do_for_development(tmp_path: Path) -> None:
    """Scripts that set a development server up with short passwords run."""
    async with live(tmp_path, dev=True) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        await ann.post("users", email="bo@x.org", password="x", full_name="Bo")
        signed = await ann.post("fetch_api_key", username="bo@x.org", password="x")
        assert signed["result"] == "success"
        state = await ann.post("register", fetch_event_types=["realm"])
        assert (state["password_min_length"], state["password_min_guesses"]) == (0, 0)


async def test_zulips_programs_read_values_by_zulips_names(tmp_path: Path) -> None:
    """`:zulip:` has Zulip's type for Zulip's apps, which drop a page with any other, and ours for all else."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        await channel(ann)
        number = await said(ann)
        for program, kind in (("ZulipFlutter/30", "zulip_extra_emoji"), ("MyTool/1", EXTRA)):
            ann.http.headers["User-Agent"] = program
            queue = await ann.post("register", event_types=["reaction", "user_status"])
            voted = {"emoji_name": "zulip", "emoji_code": "zulip", "reaction_type": kind}
            done = await ann.post(f"messages/{number}/reactions", **voted)
            await ann.post("users/me/status", **voted)
            page = await ann.get("messages", anchor=number, num_before=0, num_after=0)
            one = await ann.get(f"messages/{number}")
            status = (await ann.get(f"users/{ann.id}/status"))["status"]
            state = await ann.post("register", fetch_event_types=["user_status"])
            objects = [
                page["messages"][0]["reactions"][0],
                one["message"]["reactions"][0],
                status,
                state["user_status"][str(ann.id)],
            ]
            await ann.delete(f"messages/{number}/reactions", **voted)
            await ann.post("users/me/status", emoji_name="")
            told = await ann.events(queue)
            assert [e["reaction_type"] for e in told] == [kind, kind, kind, "unicode_emoji"], told
            assert [one["reaction_type"] for one in objects] == [kind] * 4
            assert done["result"] == "success"


@pytest.mark.parametrize(
    ("program", "capabilities", "value"),
    [
        ("MyTool/1", {}, True),
        ("MyTool/1", {"notification_settings_null": True}, None),
        ("ZulipFlutter/30", {"notification_settings_null": True}, True),
    ],
)
@pytest.mark.parametrize("name", ["desktop_notifications", "wildcard_mentions_notify"])
async def test_a_setting_that_inherits_is_told_as_what_holds(
    tmp_path: Path, program: str, capabilities: dict[str, bool], value: bool | None, name: str
) -> None:
    """Clients that cannot read null in a channel's settings are told the boolean that holds."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        number = await channel(ann)
        ann.http.headers["User-Agent"] = program
        await ann.patch("settings", enable_stream_desktop_notifications=True)
        form = {"event_types": ["subscription"], "client_capabilities": capabilities}
        queue = await ann.post("register", **form)
        for new in (False, None):
            change = {"stream_id": number, "property": name, "value": new}
            await ann.post("users/me/subscriptions/properties", subscription_data=[change])
        assert [e["value"] for e in await ann.events(queue)] == [False, value]
        if not capabilities:
            again = await ann.post("register", **form)
            # What is younger than null itself is null to every client.
            holds = None if name == "wildcard_mentions_notify" else True
            assert again["subscriptions"][0][name] is holds


async def test_old_clients_find_their_settings_at_the_top(tmp_path: Path) -> None:
    """A client that asks for display settings by their old name gets them, unless it knows the new one."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        await ann.patch("settings", twenty_four_hour_time="null", enter_sends=False)
        old = ["update_display_settings", "update_global_notifications"]
        state = await ann.post("register", fetch_event_types=old)
        assert (state["twenty_four_hour_time"], state["enter_sends"]) == (False, False)
        assert state["pm_content_in_desktop_notifications"] is True
        knows = {"user_settings_object": True}
        for form in ({"fetch_event_types": old, "client_capabilities": knows}, {}):
            assert "enter_sends" not in await ann.post("register", **form)


async def test_a_change_of_status_and_presence_is_one_event(tmp_path: Path) -> None:
    """Clients of before level 148 send `away` with the status, and hear of both at once."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bob = await server.person("Bob")
        queue = await bob.post("register", event_types=["user_status"])
        await ann.post("users/me/status", away=True, status_text="tea")
        await ann.post("users/me/status", away=True)
        told = [{**event, "id": None, "type": None} for event in await bob.events(queue)]
        plain = {"id": None, "type": None, "user_id": ann.id, "away": True}
        assert told == [plain | {"status_text": "tea"}, plain]


async def test_who_is_put_into_a_new_channel_reads_of_it_once(tmp_path: Path) -> None:
    """A new channel says who made it; only who is added to an older one is written to."""
    async with live(tmp_path, channel_events=True) as server:
        ann = await server.person("Ann")
        bob = await server.person("Bob")
        queue = await bob.post("register", event_types=["message"])
        await ann.post("channels/create", name="tea", subscribers=[ann.id, bob.id])
        both = {"principals": [ann.id, bob.id]}
        await ann.post("users/me/subscriptions", subscriptions=[{"name": "den"}], **both)
        told = [event["message"]["display_recipient"] for event in await bob.events(queue)]
        assert told == ["tea", "den"]


async def test_exports_over_the_wire_are_refused_with_the_way(tmp_path: Path) -> None:
    """An administrator's page of exports opens, is empty, and says who makes one."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.ADMINISTRATOR)
        bob = await server.person("Bob")
        assert (await ann.get("export/realm"))["exports"] == []
        assert "chinwag-server export" in (await ann.post("export/realm"))["msg"]
        assert (await ann.delete("export/realm/1"))["msg"] == "Invalid data export ID"
        for asked in (bob.get("export/realm"), bob.post("export/realm")):
            assert (await asked)["result"] == "error"


async def test_deleting_a_group_closes_it(tmp_path: Path) -> None:
    """Clients of before level 290 close a group with DELETE; everybody's list loses it."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.ADMINISTRATOR)
        bob = await server.person("Bob")
        made = await ann.post("user_groups/create", name="tea", description="", members=[ann.id])
        queue = await bob.post("register", event_types=["user_group"])
        assert (await ann.delete(f"user_groups/{made['group_id']}"))["result"] == "success"
        told = [(event["op"], event["group_id"]) for event in await bob.events(queue)]
        assert told == [("remove", made["group_id"])]
