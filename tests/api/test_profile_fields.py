"""Profile fields over the wire: kept by administrators, filled in by people, known to all."""

from pathlib import Path
from typing import Any

from server_lite.store.users import Role
from tests.live import Person, live

CHOICES = {"py": {"text": "Python", "order": "1"}, "c": {"text": "C", "order": "2"}}


async def field(person: Person, name: str, kind: int = 1, **more: Any) -> int:
    """A new field; returns its id."""
    answer = await person.post("realm/profile_fields", name=name, field_type=kind, **more)
    field_id: int = answer["id"]
    return field_id


async def profile(viewer: Person, user_id: int) -> dict[str, Any]:
    """What somebody says, as a new client sees it; every place tells the same."""
    state = await viewer.post("register", fetch_event_types=["realm_user"])
    (shown,) = [one["profile_data"] for one in state["realm_users"] if one["user_id"] == user_id]
    asked = await viewer.get(f"users/{user_id}", include_custom_profile_fields=True)
    assert asked["user"]["profile_data"] == shown
    everybody = await viewer.get("users", include_custom_profile_fields=True)
    assert shown in [one.get("profile_data") for one in everybody["members"]]
    said: dict[str, Any] = shown
    return said


def applied(said: dict[str, Any], events: list[dict[str, Any]]) -> None:
    """Bring a client's idea of a profile up to date."""
    for event in events:
        value = dict(event["person"]["custom_profile_field"])
        key = str(value.pop("id"))
        if value["value"] is None:
            del said[key]
        else:
            said[key] = value


async def test_what_i_say_of_myself_is_told(tmp_path: Path) -> None:
    """Everybody sees what I fill in, formatted where fields take formatting, until I clear it."""
    async with live(tmp_path) as server:
        root = await server.person("Root", role=Role.ADMINISTRATOR)
        ann, bob = await server.person("Ann"), await server.person("Bob")
        phone, language = await field(root, "Phone"), await field(root, "L", 3, field_data=CHOICES)
        friends = await field(root, "Friends", 6)
        queue = await bob.post("register", event_types=["realm_user"])
        seen = await profile(bob, ann.id)
        answer = await ann.patch(
            "users/me/profile_data",
            data=[
                {"id": phone, "value": "1 **bold** 2"},
                {"id": language, "value": "py"},
                {"id": friends, "value": [bob.id]},
            ],
        )
        assert answer["result"] == "success"
        assert (await ann.get("users/me"))["profile_data"] == {
            str(phone): {
                "value": "1 **bold** 2",
                "rendered_value": "<p>1 <strong>bold</strong> 2</p>",
            },
            str(language): {"value": "py"},
            str(friends): {"value": f"[{bob.id}]"},
        }
        applied(seen, await bob.events(queue))
        assert seen == await profile(bob, ann.id)
        await ann.delete("users/me/profile_data", data=[friends])
        await ann.patch("users/me/profile_data", data=[{"id": phone, "value": ""}])
        applied(seen, await bob.events(queue))
        assert seen == await profile(bob, ann.id) == {str(language): {"value": "py"}}
        await root.patch(f"realm/profile_fields/{language}", field_data={"c": CHOICES["c"]})
        applied(seen, await bob.events(queue))
        assert seen == await profile(bob, ann.id) == {}


async def test_fields_are_told_in_their_order(tmp_path: Path) -> None:
    """Fields that are made, changed, ordered and removed are the same for old and new clients."""
    async with live(tmp_path) as server:
        root = await server.person("Root", role=Role.ADMINISTRATOR)
        bob = await server.person("Bob")
        queue = await bob.post("register", event_types=["custom_profile_fields"])
        assert queue["custom_profile_field_types"]["USER"] == {"id": 6, "name": "Person picker"}
        one = await field(root, "One", hint="h", required=True, display_in_profile_summary=True)
        two = await field(root, "Two", 7, field_data=ACCOUNT)
        await root.patch(f"realm/profile_fields/{one}", name="First", required=False)
        await root.patch("realm/profile_fields", order=[two, one])
        await bob.patch("users/me/profile_data", data=[{"id": two, "value": "bob"}])
        people = await bob.post("register", event_types=["realm_user"])
        *_, last = await bob.events(queue)
        assert last["fields"] == (await bob.get("realm/profile_fields"))["custom_fields"]
        assert last["fields"][1] == {
            "id": one,
            "type": 1,
            "order": 2,
            "name": "First",
            "hint": "h",
            "field_data": "",
            "required": False,
            "editable_by_user": True,
            "use_for_user_matching": False,
            "display_in_profile_summary": True,
        }
        await root.delete(f"realm/profile_fields/{two}")
        (gone,) = await bob.events(people)
        assert gone["person"]["custom_profile_field"] == {"id": two, "value": None}
        (event,) = await bob.events(queue)
        fresh = await bob.post("register", event_types=["custom_profile_fields"])
        assert [f["id"] for f in event["fields"]] == [one]
        assert event["fields"] == fresh["custom_profile_fields"]


ACCOUNT = {"subtype": "custom", "url_pattern": "https://x.example/%(username)s"}
BAD_FIELDS: list[tuple[dict[str, Any], str]] = [
    ({"name": " "}, "Label cannot be blank."),
    ({"name": "n" * 41}, "name is too long (limit: 40 characters)"),
    ({"name": "ONE"}, "A field with that label already exists."),
    ({"hint": "h" * 81}, "hint is too long"),
    ({"field_type": 9}, "Invalid field type."),
    ({"field_type": "x"}, "field_type is not an integer"),
    ({"field_type": 3}, "Field must have at least one choice."),
    ({"field_type": 3, "field_data": {"a": "b"}}, 'field_data["a"] must have a text'),
    (
        {"field_type": 3, "field_data": {"a": {"text": " ", "order": "1"}}},
        'field_data["a"]["text"] cannot be blank',
    ),
    (
        {"field_type": 3, "field_data": {"a": {"text": "x", "order": "x"}}},
        'field_data["a"]["order"] is not a number',
    ),
    (
        {"field_type": 3, "field_data": CHOICES | {"d": CHOICES["c"]}},
        "Field must not have duplicate choices.",
    ),
    ({"field_type": 7, "field_data": {"subtype": "x"}}, "Invalid external account type"),
    ({"field_type": 7, "field_data": ACCOUNT | {"url_pattern": "x"}}, "Malformed URL pattern."),
    (
        {"field_type": 7, "field_data": ACCOUNT | {"url_pattern": "https://x"}},
        "URL pattern must contain '%(username)s'.",
    ),
    (
        {"field_type": 6, "display_in_profile_summary": True},
        "Field type not supported for display in profile summary.",
    ),
    (
        {"display_in_profile_summary": True},
        "Only 2 custom profile fields can be displayed in the profile summary.",
    ),
]


async def test_what_cannot_be_a_field_is_refused(tmp_path: Path) -> None:
    """Each mistake in a field is named, and only administrators keep fields."""
    async with live(tmp_path) as server:
        root = await server.person("Root", role=Role.ADMINISTRATOR)
        ann = await server.person("Ann")
        one = await field(root, "One", display_in_profile_summary=True)
        await field(root, "Two", display_in_profile_summary=True)
        new: dict[str, Any] = {"name": "Three", "field_type": 1}
        for changed, reason in BAD_FIELDS:
            refused = await root.post("realm/profile_fields", **new | changed)
            assert (refused["status"], reason in refused["msg"]) == (400, True), refused
        for answer in (
            await ann.post("realm/profile_fields", **new),
            await ann.patch(f"realm/profile_fields/{one}", name="x"),
            await ann.delete(f"realm/profile_fields/{one}"),
            await ann.patch("realm/profile_fields", order=[one]),
        ):
            assert answer["msg"] == "Must be an organization administrator"
        for answer in (
            await root.patch("realm/profile_fields/99", name="x"),
            await root.delete("realm/profile_fields/99"),
        ):
            assert (answer["status"], answer["msg"]) == (404, "Field id 99 not found.")
        refused = await root.patch("realm/profile_fields", order=[one])
        assert refused["msg"] == "Invalid order mapping."
        assert len((await ann.get("realm/profile_fields"))["custom_fields"]) == 2


async def test_what_cannot_be_said_is_refused(tmp_path: Path) -> None:
    """A value of the wrong form is refused by the field's name, and nothing of the change is kept."""
    async with live(tmp_path) as server:
        root = await server.person("Root", role=Role.ADMINISTRATOR)
        ann = await server.person("Ann")
        ids = {kind: await field(root, f"F{kind}", kind) for kind in (1, 2, 4, 5, 6, 8)}
        ids[3] = await field(root, "F3", 3, field_data=CHOICES)
        ids[9] = await field(root, "F9", editable_by_user=False)
        for kind, value, reason in (
            (1, "x" * 51, "F1 is too long (limit: 50 characters)"),
            (2, "x" * 501, "F2 is too long (limit: 500 characters)"),
            (3, "java", "'java' is not a valid choice for 'F3'."),
            (4, "2026-13-01", "F4 is not a date"),
            (5, "javascript:x", "F5 is not a URL"),
            (6, [1], "Invalid user ID: 1"),
            (6, [999], "Invalid user ID: 999"),
            (6, "x", "F6 is not a list of user IDs"),
            (8, [1], "F8 is not a string"),
            (1, "\0", "F1 must not contain null bytes"),
            (9, "x", "You are not allowed to change this field."),
        ):
            data = [{"id": ids[8], "value": "they"}, {"id": ids[kind], "value": value}]
            refused = await ann.patch("users/me/profile_data", data=data)
            assert (refused["status"], reason in refused["msg"]) == (400, True), refused
        unknown = await ann.patch("users/me/profile_data", data=[{"id": 99, "value": "x"}])
        assert unknown["msg"] == "Field id 99 not found."
        many = [{"id": ids[1], "value": "x"}] * 101
        for refused in (
            await ann.patch("users/me/profile_data", data=many),
            await root.patch(f"users/{ann.id}", profile_data=many),
            await ann.delete("users/me/profile_data", data=[ids[1]] * 101),
        ):
            assert (refused["status"], "100" in refused["msg"]) == (400, True)
        wrong = await ann.patch("users/me/profile_data", data=[{"id": ids[1]}])
        assert wrong["msg"] == 'data[0]["value"] field is missing'
        assert await profile(root, ann.id) == {}
        for said in ({"id": ids[9], "value": "x"}, {"id": ids[4], "value": "2026-02-01"}):
            answer = await root.patch(f"users/{ann.id}", profile_data=[said])
            assert answer["result"] == "success"
        assert {key: one["value"] for key, one in (await profile(ann, ann.id)).items()} == {
            str(ids[9]): "x",
            str(ids[4]): "2026-02-01",
        }
