"""Alert words, muted people and devices over the wire: one's own lists, told to one's own clients."""

from pathlib import Path
from typing import Any

from server_lite.store.users import Role
from tests.api.test_users import mine
from tests.live import live


async def test_alert_words_are_told_whole_and_differ_in_more_than_case(tmp_path: Path) -> None:
    """A word added twice is one word; only a change is told."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        queue = await ann.post("register", event_types=["alert_words"])
        await ann.post("users/me/alert_words", alert_words=["pizza", " taco ", ""])
        answer = await ann.post("users/me/alert_words", alert_words=["PIZZA"])
        assert answer["alert_words"] == ["pizza", "taco"]
        answer = await ann.delete("users/me/alert_words", alert_words=["TACO", "nothing"])
        assert answer["alert_words"] == ["pizza"]
        told = mine(await ann.events(queue), "alert_words")
        assert told == [{"alert_words": ["pizza", "taco"]}, {"alert_words": ["pizza"]}]
        assert (await ann.get("users/me/alert_words"))["alert_words"] == ["pizza"]


async def test_bad_alert_words_are_refused_whole(tmp_path: Path) -> None:
    """One word that is too long, or no list, and nothing is added."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        answer = await ann.post("users/me/alert_words", alert_words=["ok", "x" * 101])
        assert answer["msg"] == "alert_words[1] is too long (limit: 100 characters)"
        answer = await ann.post("users/me/alert_words", alert_words="x")
        assert answer["msg"] == "alert_words is not valid JSON"
        assert (await ann.get("users/me/alert_words"))["alert_words"] == []


async def test_muting_somebody_reads_what_they_wrote(tmp_path: Path) -> None:
    """After muting, nothing of the muted person waits to be read."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bob = await server.person("Bob")
        sent = await bob.post("messages", type="direct", to=[ann.id], content="buy this")
        queue = await ann.post("register")
        await ann.post(f"users/me/muted_users/{bob.id}")
        events = await ann.events(queue)
        ((muted,),) = [event["muted_users"] for event in mine(events, "muted_users")]
        assert muted["id"] == bob.id
        (read,) = mine(events, "update_message_flags")
        assert (read["flag"], read["messages"]) == ("read", [sent["id"]])
        await ann.delete(f"users/me/muted_users/{bob.id}")
        assert mine(await ann.events(queue), "muted_users") == [{"muted_users": []}]


async def test_muting_has_its_errors(tmp_path: Path) -> None:
    """Nobody mutes themselves, twice, or somebody who is not there."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bob = await server.person("Bob")
        await ann.post(f"users/me/muted_users/{bob.id}")
        answers = [
            await ann.post(f"users/me/muted_users/{ann.id}"),
            await ann.post(f"users/me/muted_users/{bob.id}"),
            await ann.post("users/me/muted_users/99"),
            await bob.delete(f"users/me/muted_users/{ann.id}"),
            await bob.delete("users/me/muted_users/99"),
        ]
        assert [answer["msg"] for answer in answers] == [
            "Cannot mute self",
            "User already muted",
            "No such user",
            "User is not muted",
            "No such user",
        ]


async def test_a_device_is_its_owners_to_remove(tmp_path: Path) -> None:
    """A device shows up with its owner's others, and only the owner takes it away."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bob = await server.person("Bob")
        queue = await ann.post("register")
        device = (await ann.post("register_client_device"))["device_id"]
        state = await ann.post("register", fetch_event_types=["device"])
        assert list(state["devices"]) == [str(device)]
        refused = await bob.post("remove_client_device", device_id=device)
        assert (refused["msg"], refused["status"]) == ("Invalid device_id", 400)
        await ann.post("remove_client_device", device_id=device)
        told = mine(await ann.events(queue), "device")
        assert told == [{"op": "add", "device_id": device}, {"op": "remove", "device_id": device}]


async def test_push_tokens_are_checked(tmp_path: Path) -> None:
    """A token of no or endless length is refused, under both names of the path."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")

        async def outcome(verb: str, path: str, **form: Any) -> str:
            answer = await ann.ask(verb, path, **form)
            return str(answer["msg"] or answer["result"])

        bad = "Empty or invalid length token"
        assert await outcome("POST", "users/me/android_push_reg_id", token="") == bad
        assert await outcome("POST", "users/me/android_push_reg_id", token="x" * 5000) == bad
        assert await outcome("POST", "users/me/android_push_reg_id", token="abc") == "success"
        assert await outcome("DELETE", "users/me/android_gcm_reg_id", token="abc") == "success"
        gone = await outcome("DELETE", "users/me/android_push_reg_id", token="abc")
        assert gone == "Token does not exist"
        apple = await outcome("POST", "users/me/apns_device_token", token="xyz", appid="a")
        assert apple == "Invalid APNS token"


async def test_no_device_waits_for_pushes_that_never_come(tmp_path: Path) -> None:
    """My phone is told at once that this server pushes nothing, and others' devices are not known."""
    async with live(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        device = (await ann.post("register_client_device"))["device_id"]
        refused = await ann.post("mobile_push/register", device_id=device, token_kind="fcm")
        assert (refused["status"], refused["code"]) == (400, "PUSH_SERVICE_NOT_CONFIGURED")
        assert (await bob.post("mobile_push/register", device_id=device))["code"] == "BAD_REQUEST"
        assert (await ann.post("mobile_push/register"))["var_name"] == "device_id"


async def test_administrators_know_who_consents_to_an_export(tmp_path: Path) -> None:
    """My consent reaches administrators at once; nobody else is told, or may ask."""
    async with live(tmp_path) as server:
        root, ann = await server.person("Root", role=Role.OWNER), await server.person("Ann")
        kinds = ["realm_export_consent"]
        queues = [await one.post("register", event_types=kinds) for one in (root, ann)]
        await ann.patch("settings", allow_private_data_export=True)
        await ann.patch("settings", allow_private_data_export=True)
        (told,) = await root.events(queues[0])
        assert (told["user_id"], told["consented"]) == (ann.id, True)
        assert not await ann.events(queues[1])
        listed = (await root.get("export/realm/consents"))["export_consents"]
        assert {one["user_id"]: one["consented"] for one in listed} == {
            root.id: False,
            ann.id: True,
        }
        assert (await ann.get("export/realm/consents"))["code"] == "UNAUTHORIZED_PRINCIPAL"
