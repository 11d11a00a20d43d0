"""Measures how long the longest possible values block others: each parameter of each endpoint in turn.

    python benchmarks/longest_values.py [PART_OF_A_PATH ...]

From the table of routes: a parameter gets lists as long as they are allowed, and longer, texts that take long to
search, and JSON of a megabyte; the others get what is valid. Most of it is refused, which has to be as quick. The
application is called as in `pauses.py`, on a copy of its smaller file.
"""

import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.large_history import EVERYBODY
from benchmarks.pauses import GOAL, Beats, ask, kept, prepared
from benchmarks.results import keep
from server_lite.api.decoding import ITEMS, LENGTH
from server_lite.api.params import EndpointSpec, Parameter
from server_lite.app import App
from server_lite.config import Limits, Settings
from server_lite.routes import TABLE
from server_lite.store.connection import Db
from server_lite.store.database import Database

BODY: Final = Limits().body_bytes
QUERY: Final = 60_000
"""A longer one does not get through the protocol."""
REPORTED: Final = 20.0
"""Milliseconds from which on a pause is printed."""
LEAVES: Final = ("users/me", "realm/deactivate")
"""Paths under which a request would end the account or the organization."""
UNITS: Final = (
    *("x", "İ", "a ", "*a ", "`", "> ", "[a](http://b.c) ", "http://a.b/c ", "$$", ":smile: "),
    *("\u0301", "(", "\n", "www.", "#**a>b** ", "@**Person 1** ", "<time:2020-01-01T00:00> "),
)
"""Texts that are repeated up to the length."""
JSON: Final = (
    f"[{'1,' * 500_000}1]",
    "[" * 500_000 + "]" * 500_000,
    '{"a":' * 5_000 + "1" + "}" * 5_000,
    '["' + '","' * 300_000 + '"]',
    f"[{'[],' * 330_000}1]",
    f"[{'{},' * 330_000}1]",
    "[" + '{"a":1},' * 130_000 + "1]",
    "{" + ",".join(f'"k{number}":1' for number in range(80_000)) + "}",
    '"' + "\\u0041" * 170_000 + '"',
    "9" * 1_000_000,
)


def known(db: Db) -> tuple[dict[str, Any], list[object]]:
    """Return valid values by the name of a parameter; and lists of IDs and names as long as allowed."""
    channel = db.value("SELECT id FROM channel WHERE name = ?", EVERYBODY)
    messages = db.column("SELECT id FROM message ORDER BY id DESC LIMIT ?", ITEMS)
    people = db.column("SELECT id FROM user WHERE bot_type IS NULL ORDER BY id")
    emails = db.column("SELECT email FROM user WHERE bot_type IS NULL ORDER BY id")
    groups = db.column("SELECT id FROM user_group ORDER BY id DESC LIMIT ?", ITEMS)
    topic = db.value("SELECT name FROM topic WHERE channel_id = ? AND max_id > 0", channel)
    values: dict[str, Any] = {
        **dict.fromkeys(("stream_id", "channel_id"), channel),
        **dict.fromkeys(("message_id", "reminder_id"), messages[3]),
        **dict.fromkeys(("user_id", "user_id_or_email", "bot_id", "muted_user_id"), people[9]),
        "user_group_id": groups[0],
        "email": emails[9],
        "integration": "slack",
        "msg_ids": messages[:5],
        "messages": messages[:50],
        "anchor": "newest",
        "num_before": 50,
        "num_after": 0,
        "narrow": [],
        "topic": "tea",
        "topic_name": topic,
        "name": "a new name",
        "full_name": "A new name",
        "description": "new",
        "title": "new",
        "content": "Hello",
        "type": "direct",
        "to": [people[5]],
        "op": "add",
        "order": [1],
        "flag": "starred",
        "status": "active",
        "emoji_name": "smile",
        "is_pinned": "true",
        "subscriptions": [{"name": "fresh"}],
        "stream": EVERYBODY,
        "subscribers": [people[5]],
        "scheduled_delivery_timestamp": int(time.time()) + 90_000,
        "alert_words": ["a"],
        "pattern": "#(?P<id>[0-9]+)",
        "url_template": "https://example.com/{id}",
        "data": [{"id": 1, "value": "x"}],
        "allow_subdomains": "true",
        "domain": "example.com",
        "msg_type": "widget",
        "fragment": "narrow",
        "property": "pin_to_top",
        "value": "true",
        "subscription_data": [{"stream_id": channel, "property": "pin_to_top", "value": True}],
        "draft": {"type": "private", "to": [people[5]], "topic": "", "content": "x"},
        "visibility_policy": 2,
        "members": [people[5]],
        "ordered_linkifier_ids": [1],
        "field_type": 1,
        "pygments_language": "Python",
        "invitee_emails": "new@example.com",
        "stream_ids": [channel],
        "short_name": "bot",
        "storage": {"a": "b"},
        "report_type": "spam",
        "username": emails[0],
        "password": "secret",
        "queue_id": "1",
        "last_event_id": -1,
        "token": "abc",
        "device_id": 1,
        "appid": "x",
    }
    names = db.column("SELECT name FROM channel LIMIT ?", ITEMS)
    lists: list[Sequence[object]] = [
        *(people[:ITEMS], people[-ITEMS:], people, messages, groups, emails[:ITEMS], names),
        db.column("SELECT id FROM channel LIMIT ?", ITEMS),
        [f"{number}{'y' * 900}" for number in range(ITEMS)],
        [f"{'İ' * 150}{number}" for number in range(ITEMS)],
    ]
    members = {"direct_members": people[:ITEMS], "direct_subgroups": groups}
    return values, [*lists, members, {"new": members}, {f"k{n}": "v" * 500 for n in range(ITEMS)}]


def longest(parameter: Parameter, values: Mapping[str, Any], lists: list[object]) -> Iterator[Any]:
    """Yield values for a parameter that take long to examine."""
    hint = repr(parameter.hint)
    if "[" in hint or "Members" in hint or "Change" in hint or "object" in hint:
        yield from lists
        if isinstance(one := values.get(parameter.name), list) and one:
            yield one[:1] * ITEMS
    if "str" in hint:
        yield from (unit * (LENGTH // len(unit)) for unit in UNITS)
        yield from ("x" * (BODY - 1_000), "İ" * (BODY // 7))
    yield from JSON


async def measure(path: Path, wanted: Sequence[str]) -> None:
    """Measure all parameters, or those of some paths."""
    database = Database(path)
    free = Limits(
        requests_per_minute=None, anonymous_per_minute=None, failed_logins_per_half_hour=None
    )
    app = App(Settings(db=path, limits=free), database)
    values, lists = database.read(known)
    beats = Beats(database)
    pauses: list[tuple[float, str]] = [(0.0, "")]
    for route in TABLE.routes:
        for verb, contract in route.contracts.items():
            where = route.pattern
            for place in contract.path:
                value = values.get(place.name, 1)
                for brace in (
                    f"{{{place.name}}}",
                    f"{{{place.name}:int}}",
                    f"{{{place.name}:path}}",
                ):
                    where = where.replace(brace, str(value))
            if wanted and not any(one in where for one in wanted):
                continue
            if (verb == "DELETE" and where in LEAVES) or not _is_form(contract):
                continue
            for parameter in contract.form:
                name = f"{verb} {route.pattern}, {parameter.name}"
                for number, value in enumerate(longest(parameter, values, lists)):
                    sent = {
                        one.name: values.get(one.name, 1) for one in contract.form if one.required
                    }
                    sent |= {parameter.name: value} | (
                        {"dont_block": "true"} if where == "events" else {}
                    )
                    request = prepared(verb, where, sent)
                    if len(request.body) > BODY or len(request.scope["query_string"]) > QUERY:
                        continue
                    pause, (status, _) = await beats.during(partial(ask, app, request))
                    pauses.append((pause, name))
                    if pause > REPORTED:
                        print(
                            f"{name:70} value {number:3} {pause:6.1f} ms   {status}",
                            flush=True,
                        )
    beats.stop()
    app.close()
    database.close()
    worst, name = max(pauses)
    keep(
        "server",
        "longest pause of others, any parameter with the longest value",
        measured=f"{worst:.0f} ms",
        goal=f"≤ {GOAL:.0f} ms",
        beside={"by": name, "requests": f"{len(pauses) - 1:,}"},
    )


def _is_form(contract: EndpointSpec) -> bool:
    return not (contract.wants_upload or contract.wants_picture or contract.wants_body)


def main() -> None:
    """Measure on a copy."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "chinwag.db"
        shutil.copyfile(kept(100_000, 300, 35_000), copy)
        asyncio.run(measure(copy, sys.argv[1:]))


if __name__ == "__main__":
    main()
