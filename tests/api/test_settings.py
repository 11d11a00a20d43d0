"""Personal settings over the wire: checked, told to one's own clients, kept."""

from pathlib import Path

import pytest

from server_lite.actions.credentials import hash_password
from server_lite.config import Limits
from server_lite.ids import UserId
from server_lite.store.users import Role, set_password
from tests.api.test_users import mine
from tests.live import CHEAP, live


async def test_what_was_set_is_told_and_kept(tmp_path: Path) -> None:
    """A change reaches the person's other clients, and the next start."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        queue = await ann.post("register")
        answer = await ann.patch(
            "settings/display", color_scheme=2, timezone="Europe/Berlin", nonsense=1
        )
        assert answer["ignored_parameters_unsupported"] == ["nonsense"]
        await ann.patch("settings", color_scheme=2)
        told = mine(await ann.events(queue), "user_settings")
        assert told == [
            {"op": "update", "property": "timezone", "value": "Europe/Berlin"},
            {"op": "update", "property": "color_scheme", "value": 2},
        ]
        state = await ann.post("register", fetch_event_types=["user_settings"])
        assert state["user_settings"] == queue["user_settings"] | {
            "color_scheme": 2,
            "timezone": "Europe/Berlin",
        }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"color_scheme": 9}, "Invalid color_scheme"),
        ({"color_scheme": "dark"}, "color_scheme is not an integer"),
        ({"enter_sends": "yes"}, "enter_sends is not a boolean"),
        ({"timezone": "Mars/Olympus"}, "Invalid timezone"),
        ({"email": "nobody"}, "Enter a valid email address."),
        ({"full_name": ""}, "Name too short!"),
        (
            {"new_password": "short", "old_password": "x"},
            "The password is too short: at least 8 characters, please.",
        ),
        ({"new_password": "long enough", "old_password": "x"}, "Wrong password!"),
    ],
)
async def test_a_bad_value_changes_nothing(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    """One bad value among good ones is named, and none of them is taken."""
    async with live(tmp_path, dev=False) as server:
        ann = await server.person("Ann")
        queue = await ann.post("register")
        answer = await ann.patch("settings", starred_message_counts=False, **change)
        assert (answer["msg"], answer["status"]) == (message, 400)
        assert await ann.events(queue) == []


async def test_a_stolen_key_guesses_no_password(tmp_path: Path) -> None:
    """Guesses at the old password are as slow as signing in, together with it; a right one forgives them."""
    limits = Limits(failed_logins_per_half_hour=3)
    async with live(tmp_path, limits=limits) as server:
        ann = await server.person("Ann")
        hashed = hash_password(CHEAP, "the first one")
        await server.app.database.write(lambda tx: set_password(tx, UserId(ann.id), hashed))

        async def change(old: str, new: str) -> int:
            answer = await ann.patch("settings", old_password=old, new_password=new)
            status: int = answer.get("status", 200)
            return status

        form = {"username": ann.email, "password": "guess"}
        sign_in = (await server.client().post("fetch_api_key", data=form)).status_code
        assert (sign_in, await change("guess", "the second one")) == (401, 400)
        assert await change("the first one", "the second one") == 200
        guesses = [await change(f"guess {n}", "the third one") for n in range(3)]
        assert guesses == [400, 400, 400]
        assert await change("the second one", "the third one") == 429


async def test_a_new_password_signs_in_and_the_old_one_does_not(tmp_path: Path) -> None:
    """Changing the password takes the old one, and ends its use."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        await ann.post("users", email="bo@x.org", password="the first one", full_name="Bo")
        http = server.client()

        async def key(password: str) -> str | None:
            form = {"username": "BO@x.org", "password": password}
            answer = (await http.post("fetch_api_key", data=form)).json()
            api_key: str | None = answer.get("api_key")
            return api_key

        bo = server.client(auth=("bo@x.org", await key("the first one") or ""))
        change = {"old_password": "the first one", "new_password": "the second one"}
        assert (await bo.patch("settings", data=change)).json()["result"] == "success"
        assert await key("the first one") is None
        assert await key("the second one")


async def test_hiding_ones_presence_looks_like_leaving(tmp_path: Path) -> None:
    """Who switches their presence off is seen as away, and shows up again when it is back on."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bob = await server.person("Bob")
        await bob.post("users/me/presence", status="active")
        queue = await ann.post("register", event_types=["presence", "user_status"])
        await bob.patch("settings", presence_enabled=False)
        events = await ann.events(queue)
        assert mine(events, "user_status") == [{"user_id": bob.id, "away": True}]
        (gone,) = mine(events, "presence")
        assert gone["presence"]["website"]["status"] == "idle"
        await bob.post("users/me/presence", status="active")
        assert (await ann.get(f"users/{bob.id}/presence"))["presence"]["website"][
            "status"
        ] == "offline"
        state = await ann.post("register", fetch_event_types=["user_status"])
        assert state["user_status"] == {str(bob.id): {"away": True}}


async def test_people_to_come_begin_with_what_the_organization_chose(tmp_path: Path) -> None:
    """A default is for who comes later; who is here keeps what they have."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        queue = await ann.post("register", event_types=["realm_user_settings_defaults"])
        await ann.patch("realm/user_settings_defaults", enter_sends=False)
        told = mine(await ann.events(queue), "realm_user_settings_defaults")
        assert told == [{"op": "update", "property": "enter_sends", "value": False}]
        bob = await server.person("Bob")
        for person, expected in ((ann, True), (bob, False)):
            state = await person.post("register", fetch_event_types=["user_settings"])
            assert state["user_settings"]["enter_sends"] is expected
        assert (await bob.patch("realm/user_settings_defaults", enter_sends=True))["code"] == (
            "UNAUTHORIZED_PRINCIPAL"
        )
