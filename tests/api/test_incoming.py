"""Incoming webhooks over the wire: what services post becomes messages of their bot."""

from pathlib import Path
from typing import Any

import pytest

from tests.live import Live, Person, live


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
