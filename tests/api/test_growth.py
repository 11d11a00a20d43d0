"""Ten times as many messages, people or channels: what a request costs then. Counts SQLite's steps.

The same requests are made in organizations that differ in one number. A page, a mark or a reaction must cost the
same however many messages and people there are; what tells everybody, or changes every message of a topic, may grow
as they do; nothing may grow faster, with channels neither.
"""

import asyncio
import shutil
from collections.abc import Collection
from dataclasses import dataclass, replace
from math import log10
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import apsw

from server_lite.store.database import Database, Tx
from server_lite.store.index_upkeep import IndexUpkeep
from tests.contract.in_memory_server import InMemoryServer
from tests.large_organization import file_of
from tests.large_rows import ANN, Size

ONE: Final = Size(
    "growth", people=60, channels=20, topics=400, messages=10_000, unread=300, joined=8
)
TEN: Final = {
    "messages": replace(ONE, name="growth of messages", messages=100_000),
    "people": replace(ONE, name="growth of people", people=600),
    "channels": replace(ONE, name="growth of channels", channels=200, topics=4_000),
}
"""Ten times as many of one kind. With the messages there are ten times as many conversations, with the channels topics."""
SAME: Final = 0.1
"""Exponent of growth of what does not depend on the number: a quarter more for ten times as many."""
EACH: Final = 1.1
"""That of what is done for each."""
FEW_STEPS, FEW_ROWS = 1_000, 20
"""Growth that does not count: small costs double quickly, and the index has more parts."""
MARKED: Final = 60
"""Starred and mentioning messages, of which the organizations have the same number."""
PAGE: Final = {"anchor": "newest", "num_before": 100, "num_after": 0}
SMALL_PAGE: Final = PAGE | {"num_before": 10}
OLDEST: Final = PAGE | {"anchor": "oldest", "num_before": 0, "num_after": 100}
MESSAGES, PEOPLE, BOTH = {"messages"}, {"people"}, {"messages", "people"}


@dataclass(slots=True)
class Work:
    """Steps of SQLite's virtual machine on all connections, also in threads, and rows that it gave."""

    steps: int = 0
    rows: int = 0

    def follow(self, connection: apsw.Connection) -> None:
        """Count what a new connection does."""
        connection.trace_v2(apsw.SQLITE_TRACE_PROFILE | apsw.SQLITE_TRACE_ROW, self._count)

    def _count(self, event: dict[str, Any]) -> None:
        if event["code"] == apsw.SQLITE_TRACE_ROW or "'main'." in event["sql"]:
            self.rows += 1
        else:
            self.steps += event["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"]


@dataclass(frozen=True, slots=True)
class Request:
    """A request of Ann. `grows` is with what its cost may grow; with channels that of all may."""

    name: str
    verb: str
    path: str
    parameters: dict[str, Any]
    grows: Collection[str] = ()


def _narrow(
    name: str,
    *terms: tuple[str, Any] | tuple[str, Any, bool],
    page: dict[str, Any] = PAGE,
    grows: Collection[str] = (),
) -> Request:
    narrow = [
        {"operator": term[0], "operand": term[1], "negated": len(term) == 3} for term in terms
    ]
    return Request(name, "GET", "messages", page | {"narrow": narrow}, grows)


def _reads(channel: int, topic: str, message: int) -> list[Request]:
    get = [
        "users", "users/me", "streams", "users/me/subscriptions", f"users/me/{channel}/topics", "attachments",
        "realm/presence", "user_groups", "drafts", f"messages/{message}", f"messages/{message}/history",
        f"messages/{message}/read_receipts", "saved_snippets", "scheduled_messages", "navigation_views",
    ]  # fmt: skip
    return [
        Request("register", "POST", "register", {}, BOTH),
        *(Request(f"GET {path.replace(str(message), 'N')}", "GET", path, {}) for path in get),
        Request("the newest of all", "GET", "messages", PAGE),
        Request("the oldest of all", "GET", "messages", OLDEST),
        Request("around the first unread", "GET", "messages", PAGE | {"anchor": "first_unread", "num_after": 50}),
        Request("around one", "GET", "messages", PAGE | {"anchor": message, "num_after": 50}),
        _narrow("a channel", ("channel", channel)),
        _narrow("a channel's oldest", ("channel", channel), page=OLDEST),
        _narrow("a topic", ("channel", channel), ("topic", topic)),
        _narrow("a topic's oldest", ("channel", channel), ("topic", topic), page=OLDEST),
        _narrow("a direct conversation", ("dm", [3]), page=SMALL_PAGE),
        _narrow("conversations with one", ("dm-including", [3]), grows=MESSAGES),
        _narrow("all direct messages", ("is", "dm")),
        _narrow("a sender", ("sender", "ben@example.com")),
        _narrow("a sender in a channel", ("sender", "ben@example.com"), ("channel", channel), page=SMALL_PAGE),
        _narrow("what is unread", ("is", "unread")),
        _narrow("what is starred", ("is", "starred")),
        _narrow("mentions", ("is", "mentioned")),
        _narrow("resolved topics", ("is", "resolved"), grows=MESSAGES),
        _narrow("followed topics", ("is", "followed"), grows=MESSAGES),
        _narrow("without a channel", ("channel", channel, True)),
        _narrow("without a sender", ("sender", "ben@example.com", True)),
        _narrow("links", ("has", "link")),
        _narrow("no pictures", ("has", "image")),
        _narrow("no files", ("has", "attachment")),
        _narrow("reactions", ("has", "reaction")),
        _narrow("a common word", ("search", "morning")),
        _narrow("a word that nobody wrote", ("search", "zymurgy")),
        _narrow("a common word in a channel", ("search", "morning"), ("channel", channel)),
        _narrow("public channels", ("channels", "public")),
        Request(
            "whether a hundred match", "GET", "messages/matches_narrow",
            {"msg_ids": list(range(message, message + 100)), "narrow": [["search", "morning"]]},
        ),
    ]  # fmt: skip


def _writes(channel: int, topic: str, message: int, own: int) -> list[Request]:
    new = {"type": "stream", "to": channel, "topic": topic, "content": "hello"}
    flags = {"messages": list(range(message, message + 100)), "op": "add", "flag": "starred"}
    window = {"anchor": message, "num_before": 50, "num_after": 50}
    return [
        Request("a message", "POST", "messages", new, PEOPLE),
        Request("a message to a new topic", "POST", "messages", new | {"topic": "brand new"}, PEOPLE),
        Request("a direct message", "POST", "messages", {"type": "direct", "to": [3], "content": "hello"}),
        Request("an edit", "PATCH", f"messages/{own}", {"content": "changed"}),
        Request("one to another topic", "PATCH", f"messages/{message}", {"topic": "apart", "propagate_mode": "change_one"}, PEOPLE),
        Request("a reaction", "POST", f"messages/{message}/reactions", {"emoji_name": "tada"}),
        Request("its removal", "DELETE", f"messages/{message}/reactions", {"emoji_name": "tada"}),
        Request("a hundred starred", "POST", "messages/flags", flags),
        Request("a hundred unread", "POST", "messages/flags/narrow", window | {"narrow": [], "op": "remove", "flag": "read"}),
        Request("a channel read", "POST", "mark_stream_as_read", {"stream_id": channel}),
        Request("all read", "POST", "mark_all_as_read", {}),
        Request("a topic muted", "POST", "user_topics", {"stream_id": channel, "topic": "apart", "visibility_policy": 1}),
        Request("typing", "POST", "typing", {"type": "stream", "op": "start", "stream_id": channel, "topic": "apart"}),
        Request("a new channel", "POST", "users/me/subscriptions", {"subscriptions": [{"name": "new"}], "principals": [3, 4, 5]}, PEOPLE),
        Request("a channel left", "DELETE", "users/me/subscriptions", {"subscriptions": ["new"]}),
        Request("a channel renamed", "PATCH", f"streams/{channel}", {"new_name": "another name"}, PEOPLE),
        Request("a channel private", "PATCH", f"streams/{channel}", {"is_private": True, "history_public_to_subscribers": True}, PEOPLE),
        Request("somebody renamed", "PATCH", "users/3", {"full_name": "Somebody Else"}, PEOPLE),
        Request("somebody deactivated", "DELETE", "users/5", {}, PEOPLE),
        Request("one deleted", "DELETE", f"messages/{message}", {}, PEOPLE),
        Request("a topic renamed", "PATCH", f"messages/{message + 1}", {"topic": "renamed", "propagate_mode": "change_all"}, BOTH),
        Request("a topic deleted", "POST", f"streams/{channel}/delete_topic", {"topic_name": "renamed"}),
        Request("a channel archived", "DELETE", f"streams/{channel}", {}, PEOPLE),
    ]  # fmt: skip


async def _costs(file: Path) -> dict[str, tuple[Request, Work]]:
    """Return the requests, in their order, with the work of each."""
    work = Work()
    apsw.connection_hooks.append(work.follow)
    town = InMemoryServer(file)
    try:
        ann = town.add(ANN, "ann@example.com", 2)
        channel = 3
        found = await ann.get("messages", **OLDEST, narrow=[["channel", channel]])
        message, topic = (found["messages"][0][of] for of in ("id", "subject"))
        own = (await ann.post("messages", type="direct", to=[4], content="x"))["id"]
        costs = {}
        for request in (*_reads(channel, topic, message), *_writes(channel, topic, message, own)):
            for _ in range(1 + (request.verb == "GET")):  # a read with what is then remembered
                work.steps = work.rows = 0
                answer = await ann.ask(request.verb, request.path, request.parameters)
                assert answer["result"] == "success", (request, answer)
            costs[request.name] = request, Work(work.steps, work.rows)
        return costs
    finally:
        town.close()
        apsw.connection_hooks.remove(work.follow)


def _keep_few_marks(tx: Tx) -> None:
    for flag in ("starred", "mentioned"):
        tx.run(
            "DELETE FROM flag WHERE flag = ?1 AND message_id NOT IN"
            " (SELECT message_id FROM flag WHERE flag = ?1 ORDER BY message_id DESC LIMIT ?2)",
            flag,
            MARKED,
        )


def _grown(few: int, many: int, negligible: int, exponent: float) -> bool:
    return many - few > negligible and log10(many / max(few, 1)) > exponent


def test_what_a_request_costs_does_not_grow_with_the_organization(tmp_path: Path) -> None:
    """Walking everything is fine in a small organization, and blocks the others in a large one."""
    costs: dict[str, dict[str, tuple[Request, Work]]] = {}
    for name, size in (("one", ONE), *TEN.items()):
        file = tmp_path / f"{name}.db"
        shutil.copyfile(file_of(size), file)
        database = Database(file)
        database.write_now(_keep_few_marks)
        database.close()
        with patch.object(IndexUpkeep, "is_due", False):  # else a thread uses the connection
            costs[name] = asyncio.run(_costs(file))
    grown = []
    for name, (request, few) in costs["one"].items():
        for of in TEN:
            many = costs[of][name][1]
            exponent = EACH if of in {*request.grows, "channels"} else SAME
            if _grown(few.steps, many.steps, FEW_STEPS, exponent) or _grown(
                few.rows, many.rows, FEW_ROWS, exponent
            ):
                grown.append(f"{name}, ten times the {of}: {few} → {many}")
    assert not grown, "\n".join(grown)
