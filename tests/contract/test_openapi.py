"""The generated description of the API, and a server under requests that were made from it."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import schemathesis
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from schemathesis.core.result import Ok

from server_lite.actions.users import create_user
from server_lite.config import Settings, Timing
from server_lite.openapi import document
from server_lite.routes import TABLE
from server_lite.server import running
from server_lite.store import keys
from server_lite.store.database import Tx
from server_lite.store.users import Role
from tests.live import CHEAP, UNLIMITED, live

DOCUMENT: Final = document(TABLE)
SCHEMA: Final = schemathesis.openapi.from_dict(DOCUMENT)

ENDS_THE_TEST: Final = {
    ("delete", "/users/me"),
    ("delete", "/users/{user_id}"),
    ("post", "/users/me/api_key/regenerate"),
}
"""After these the caller's key is no good."""

OPERATIONS: Final = [
    result.ok()
    for result in SCHEMA.get_all_operations()
    if isinstance(result, Ok)
    and (result.ok().method.lower(), result.ok().path) not in ENDS_THE_TEST
]


async def test_the_description_is_served(tmp_path: Path) -> None:
    """Whoever writes a client gets the whole API from the server itself, without an account."""
    async with live(tmp_path) as server, server.client() as http:
        served = (await http.get("openapi.json")).json()
        assert served["openapi"] == "3.1.0"
        send = served["paths"]["/messages"]["post"]
        assert send["security"] == [{"key": []}]
        form = send["requestBody"]["content"]["application/x-www-form-urlencoded"]["schema"]
        assert set(form["required"]) == {"type", "content"}
        assert form["properties"]["content"] == {"type": "string"}
        assert served["paths"]["/fetch_api_key"]["post"]["security"] == []
        emoji = served["paths"]["/realm/emoji/{emoji_name}"]["post"]
        assert list(emoji["requestBody"]["content"]) == ["multipart/form-data"]


def test_the_description_is_well_formed() -> None:
    """Every reference leads somewhere, and every operation has a name of its own."""
    SCHEMA.validate()
    ids = [
        operation["operationId"]
        for verbs in DOCUMENT["paths"].values()
        for operation in verbs.values()
    ]
    assert len(ids) == len(set(ids))


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, tuple[str, str]]]:
    """A server in a thread of its own, and an owner's address and key: this client is synchronous."""
    url: list[str] = []
    key, ready = keys.new_key(), threading.Event()
    loop = asyncio.new_event_loop()
    leave = asyncio.Event()

    async def serve() -> None:
        where = Settings(
            db=folder / "chinwag.db",
            passwords=CHEAP,
            limits=UNLIMITED,
            timing=Timing(heartbeat=0.01),
        )
        async with running(where, signals=False) as (server, address):

            def found(tx: Tx) -> None:
                user = create_user(
                    tx, email="ann@example.com", full_name="Ann", role=Role.OWNER, password=None
                )
                keys.insert(tx, user.id, key, "test", tx.now)

            await server.app.database.write(found)
            url.append(address)
            ready.set()
            await leave.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    try:
        assert ready.wait(10)
        yield url[0], ("ann@example.com", key)
    finally:
        loop.call_soon_threadsafe(leave.set)
        thread.join(10)
        loop.close()


def test_nothing_that_is_sent_is_a_failure(tmp_path: Path) -> None:
    """Whatever an owner sends of the right form is done, or refused with a reason: never a 500."""
    with served(tmp_path) as (url, auth):

        @settings(max_examples=150, phases=[Phase.generate])
        @given(st.sampled_from(OPERATIONS).flatmap(lambda one: one.as_strategy()))
        def ask(case: Any) -> None:
            response = case.call(base_url=f"{url}/api/v1", auth=auth)
            assert response.status_code < 500, case.as_curl_command()
            answer = response.json()
            if case.path != "/openapi.json":
                assert answer["result"] == ("success" if response.status_code == 200 else "error")
            if response.status_code != 200:
                assert answer["msg"]
                assert answer["code"]

        ask()
