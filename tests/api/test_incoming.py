"""Incoming webhooks over the wire: what services post becomes messages of their bot."""

import hashlib
import hmac
import json
import threading
from pathlib import Path
from typing import Any

import pytest

from server_lite.endpoints import incoming
from server_lite.integrations.payload import Payload, read
from tests.live import Live, Person, live
from tests.unit.server_lite.integrations.recorded import FOLDER


async def webhook(server: Live, owner: Person, **more: Any) -> dict[str, Any]:
    """An incoming webhook bot."""
    return await owner.post("bots", full_name="CI", short_name="ci", bot_type=2, **more)


async def newest(person: Person) -> dict[str, Any]:
    """The last message that this person can read."""
    answer = await person.get(
        "messages", anchor="newest", num_before=1, num_after=0, apply_markdown=False
    )
    message: dict[str, Any] = answer["messages"][-1]
    return message


async def test_a_service_made_for_slack_posts_here(tmp_path: Path) -> None:
    """With the bot's address in its settings, a service writes to my topic, by JSON or by form."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        made = await ann.post("channels/create", name="builds", subscribers=[ann.id])
        key = (await webhook(server, ann))["api_key"]
        http = server.client()
        url = f"external/slack_incoming?api_key={key}&stream=builds&topic=main"
        answer = await http.post(url, json={"text": "*failed* <https://x.example|log>"})
        assert (answer.status_code, answer.json()["ok"]) == (200, True)
        message = await newest(ann)
        assert (message["stream_id"], message["subject"], message["sender_full_name"]) == (
            made["id"],
            "main",
            "CI",
        )
        assert message["content"] == "**failed** [log](https://x.example)"
        url = f"external/slack_incoming?api_key={key}&stream={made['id']}"
        form = {"payload": '{"text": "by form\\u0007", "channel": "#deploys\\n"}'}
        assert (await http.post(url, data=form)).status_code == 200
        message = await newest(ann)
        assert (message["content"], message["subject"]) == ("by form", "deploys")


async def test_plain_json_is_shown(tmp_path: Path) -> None:
    """A script posts its words; JSON without words is shown as it is, where the bot writes by itself."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        await ann.post("channels/create", name="builds", subscribers=[ann.id])
        key = (await webhook(server, ann, default_sending_stream="builds"))["api_key"]
        url = f"{server.url}/api/v1/external/json?api_key={key}"
        http = server.client()
        await http.post(url, json={"content": "deployed", "topic": "web"})
        message = await newest(ann)
        assert (message["content"], message["subject"]) == ("deployed", "web")
        await http.post(url, json={"b": "```\n@**all**", "a": [1]})
        message = await newest(ann)
        assert message["subject"] == "JSON"
        assert message["content"].startswith('```json\n{\n  "a": [\n')
        assert "mentioned" not in str(message["flags"])
        curl = {"content-type": "application/x-www-form-urlencoded"}
        await http.post(url, content='{"text": "grüße & co"}'.encode(), headers=curl)
        assert (await newest(ann))["content"] == "grüße & co"
        again = {"idempotency-key": "1"}
        ids = [
            (await http.post(url, json={"text": "once"}, headers=again)).json()["id"]
            for _ in range(2)
        ]
        assert ids[0] == ids[1]


async def test_without_a_channel_the_owner_is_told(tmp_path: Path) -> None:
    """A webhook whose address names no channel writes to whom it belongs."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bot = await webhook(server, ann)
        await server.client().post(
            f"external/slack_incoming?api_key={bot['api_key']}", json={"text": "hi"}
        )
        message = await newest(ann)
        assert (message["type"], message["sender_id"]) == ("private", bot["user_id"])


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "Malformed JSON"),
        (b"{", "Malformed JSON"),
        (b"[1]", "The body is not a JSON object."),
        (b'{"text": " "}', "Message must not be empty"),
        (b"\xff\xfe", "Malformed JSON"),
        (b'{"text": "\\ud800"}', "Malformed JSON"),
    ],
)
async def test_what_cannot_be_posted_is_refused(tmp_path: Path, body: bytes, said: str) -> None:
    """A service that sends nonsense is told so."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        key = (await webhook(server, ann))["api_key"]
        answer = await server.client().post(
            f"external/slack_incoming?api_key={key}",
            content=body,
            headers={"content-type": "application/json"},
        )
        assert (answer.status_code, answer.json()["msg"]) == (400, said)


async def test_only_a_webhooks_key_may_stand_in_an_address(tmp_path: Path) -> None:
    """Addresses end up in logs: a person's key there posts nothing, and a webhook's key reads nothing."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        key = (await webhook(server, ann))["api_key"]
        http = server.client()
        path, body = "external/json?api_key=", {"content": "x"}
        mine = await http.post(path + ann.key, json=body)
        assert (mine.status_code, mine.json()["msg"]) == (
            400,
            "Only incoming webhook bots can be used here.",
        )
        wrong = await http.post(path + "x" * 32, json=body)
        assert (wrong.status_code, wrong.json()["code"]) == (401, "INVALID_API_KEY")
        none = await http.post("external/json", json=body)
        assert (none.status_code, none.json()["code"]) == (401, "UNAUTHORIZED")
        read = await http.get(f"messages?api_key={key}&anchor=newest&num_before=1&num_after=0")
        assert read.status_code == 401
        secret = await ann.post(
            "channels/create", name="shut", subscribers=[ann.id], invite_only=True
        )
        refused = await http.post(f"{path}{key}&stream={secret['id']}", json=body)
        assert (refused.status_code, refused.json()["code"]) == (400, "STREAM_DOES_NOT_EXIST")


def payload(service: str, event: str) -> dict[str, Any]:
    """A recorded request of a service."""
    rows = json.loads((FOLDER / f"{service}.json").read_text("utf-8"))
    row_of_event: dict[str, Any] = next(row for row in rows if row["posted"]["event"] == event)
    return row_of_event


async def test_a_service_chooses_the_topic_and_the_address_chooses_events(tmp_path: Path) -> None:
    """A topic for each pull request; the address may name one, and the events that are wanted."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        await ann.post("channels/create", name="builds", subscribers=[ann.id])
        key = (await webhook(server, ann))["api_key"]
        http = server.client()
        url, row = (
            f"external/github?api_key={key}&channel=builds",
            payload("github", "pull_request"),
        )
        headers = {**row["headers"], "X-GitHub-Delivery": "1"}
        first = await http.post(url, json=row["body"], headers=headers)
        message = await newest(ann)
        assert (message["id"], message["subject"]) == (
            first.json()["id"],
            "kettle / PR #12 Fix [the] login",
        )
        again = await http.post(url, json=row["body"], headers=headers)
        assert again.json()["id"] == message["id"]
        form = {"payload": json.dumps(row["body"])}
        headers["X-GitHub-Delivery"] = "2"
        await http.post(f"{url}&topic=all", data=form, headers=headers)
        assert (await newest(ann))["subject"] == "all"
        for more in (
            '&only_events=["push","issue*"]',
            '&exclude_events=["pull_request"]',
        ):
            answer = (
                await http.post(f"{url}{more}", json=row["body"], headers=row["headers"])
            ).json()
            assert (answer["result"], "excluded" in answer["ignored"]) == ("success", True)
        pushed = payload("github", "push")
        answer = (
            await http.post(
                f"{url}&branches=dev,v2", json=pushed["body"], headers=pushed["headers"]
            )
        ).json()
        assert "branch" in answer["ignored"]
        other = await http.post(url, json={}, headers={"X-GitHub-Event": "meta"})
        assert other.json()["ignored"] == "Events of type 'meta' are not supported; ignored."
        large = {**pushed["body"], "padding": "x" * 2_000_000}
        answer = await http.post(url, json=large, headers=pushed["headers"])
        assert answer.json()["result"] == "success"
        broken = await http.post(url, json={}, headers={"X-GitHub-Event": "push"})
        assert (broken.status_code, broken.json()["field"]) == (400, "repository.name")
        none = await http.post(f"external/nothing?api_key={key}", json={})
        assert (none.status_code, none.json()["msg"]) == (400, "Invalid integration 'nothing'.")


def stored(folder: Path) -> bytes:
    """All that is on disk of a server."""
    return b"".join(each.read_bytes() for each in folder.glob("*.db*"))


async def test_only_signed_webhooks_post_through_a_bot_with_a_secret(tmp_path: Path) -> None:
    """Who finds the URL posts nothing, by no path: neither unsigned, nor through another service."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        await ann.post("channels/create", name="builds", subscribers=[ann.id])
        bot = await webhook(server, ann, service_name="github", config_data={"secret": "s3cret"})
        http, row = server.client(), payload("github", "star")
        data = json.dumps(row["body"]).encode()
        signature = "sha256=" + hmac.new(b"s3cret", data, hashlib.sha256).hexdigest()
        url = f"external/github?api_key={bot['api_key']}&stream=builds"
        good = {**row["headers"], "X-Hub-Signature-256": signature}
        assert (await http.post(url, content=data, headers=good)).status_code == 200
        bad = {**good, "X-GitHub-Delivery": "2", "X-Hub-Signature-256": "sha256=00"}
        for headers in (bad, row["headers"]):
            answer = await http.post(url, content=data, headers=headers)
            assert (answer.status_code, "secret" in answer.json()["msg"]) == (400, True)
        for other in ("jenkins", "slack_incoming"):
            answer = await http.post(url.replace("github", other), content=b'{"text": "x"}')
            assert (answer.status_code, "are not signed" in answer.json()["msg"]) == (400, True)
        direct = await http.post(
            "messages",
            data={"type": "stream", "to": "builds", "topic": "x", "content": "x"},
            auth=("ci-bot@localhost", bot["api_key"]),
        )
        assert direct.status_code != 200
        bot_id = bot["user_id"]
        changed = await ann.patch(f"bots/{bot_id}", config_data={"topic_template": "{{a}}"})
        assert changed["config_data"] == {"topic_template": "{{a}}"}
        assert (await http.post(url, content=data, headers=bad)).status_code == 400
        assert b"s3cret" not in stored(tmp_path)
        await ann.patch(f"bots/{bot_id}", config_data={"secret": ""})
        assert (await http.post(url, content=data, headers=bad)).status_code == 200


async def test_json_of_any_service_is_posted_by_templates(tmp_path: Path) -> None:
    """The bot's templates choose topic and words; one that is none is refused when it is set."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        await ann.post("channels/create", name="builds", subscribers=[ann.id])
        config = {"topic_template": "{{job}}", "content_template": "{{who}} built {{job}}"}
        bot = await webhook(server, ann, config_data=config)
        await server.client().post(
            f"external/json?api_key={bot['api_key']}&stream=builds",
            json={"job": "web", "who": "@**all**"},
        )
        message = await newest(ann)
        assert (message["subject"], message["flags"]) == ("web", [])
        refused = await ann.patch(
            f"bots/{bot['user_id']}", config_data={"content_template": "{{#a}}"}
        )
        assert refused["msg"] == "Invalid template: section 'a' is not closed."


async def test_a_long_body_is_read_beside_the_requests_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four megabytes of a service took a sixth of a second, in which nobody else was answered."""
    beside: list[bool] = []

    def watched(data: str | bytes) -> Payload:
        beside.append(threading.current_thread() is not threading.main_thread())
        return read(data)

    monkeypatch.setattr(incoming, "read", watched)
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        await ann.post("channels/create", name="builds", subscribers=[ann.id])
        key = (await webhook(server, ann, default_sending_stream="builds"))["api_key"]
        http, url = server.client(), f"external/json?api_key={key}"
        for words in ("short", "long " * incoming.SHORT):
            answer = await http.post(url, json={"content": f"{words}\u0007"})
            assert answer.status_code == 200
        assert (await newest(ann))["content"].startswith("long long")
        assert (await http.post(url, json={"content": "\n" * incoming.SHORT})).status_code == 400
    assert beside == [False, True, True]
