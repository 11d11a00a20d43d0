"""Messages whose 10,000 characters are expensive to render, in an organization with linkifiers: for `pauses.py`. Measures nothing."""

from collections.abc import Sequence
from typing import Any, Final

import orjson

from server_lite.ids import UserId
from server_lite.store import linkifiers
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.linkifiers import LinkifierForm

OWNER = "p0"
LINKIFIERS: Final = 50
LENGTH: Final = 10_000
LANGUAGES: Final = (
    "py",
    "js",
    "rust",
    "c++",
    "java",
    "php",
    "ruby",
    "go",
    "sql",
    "perl",
    "haskell",
)
_Request = tuple[str, str, str, str, dict[str, Any]]


def make_linkifiers(tx: Tx) -> None:
    """Add patterns that are expensive to match, each of which makes links."""
    for number in range(LINKIFIERS):
        pattern = f"(?P<kind>[a-z]{{1,9}})-(?P<id>[0-9]*{number})"
        form = LinkifierForm(
            pattern=pattern,
            url_template="https://example.com/{kind}/{id}",
            example_input=None,
            reverse_template=None,
            alternative_url_templates=(),
        )
        linkifiers.insert(tx, form)


def make_pages(tx: Tx, channel: int) -> None:
    """Add a topic of 100 messages with long HTML, and a message that was edited several times."""
    html = "<p>" + "<em>a</em> <span class='x'>b</span>" * 5_000 + "</p>"
    for topic in ("a long page", "edited"):
        tx.run(
            "INSERT INTO topic (channel_id, name, name_key, max_id) VALUES (?1, ?2, ?2, 0)",
            *(channel, topic),
        )
        topic_id = tx.value("SELECT max(id) FROM topic")
        count = 100 if topic == "a long page" else 1
        for _ in range(count):
            tx.run(
                "INSERT INTO message (sender_id, channel_id, topic_id, content, rendered, plain, timestamp, client,"
                " has_link, has_image, has_attachment) SELECT sender_id, ?, ?, ?, ?, 'a', timestamp, 'benchmark',"
                " 0, 0, 0 FROM message WHERE id = 1",
                *(channel, topic_id, "a" * LENGTH, html),
            )
        tx.run("UPDATE topic SET max_id = (SELECT max(id) FROM message) WHERE id = ?", topic_id)
    entry = {
        "user_id": 1,
        "timestamp": 1,
        "prev_content": "a",
        "prev_rendered_content": f"<p>b{html}",
    }
    tx.run(
        "UPDATE message SET edit_history = ? WHERE id = (SELECT max(id) FROM message)",
        orjson.dumps([entry, entry]).decode(),
    )


def _code(number: int) -> str:
    return f"```{LANGUAGES[number % len(LANGUAGES)]}\nfor (int i = 0; i < {number}; i++) {{ print('x' + i) }}\n```\n"


def texts(everyone: Sequence[UserId]) -> dict[str, str]:
    """Return the texts, each of one kind of markup, by a name for the output."""
    units = {
        "emphasis and emoji": "~*~*[#1 🎉&🎉",
        "quotes and lists": ">>a\n- a\n",
        "lists and quotes": "1. a\n>>a\n",
        "mentions without markup": "@\n- ",
        "links": "[a](b.com) ",
        "emoji names": ":tada: :smile: ",
        "formulas": "$$x^2$$ ",
        "times": "<time:2020-01-01T10:00Z> ",
        "pictures": "https://x.io/a.png ",
        "topics": "#**channel 0>word100 word101** ",
        "linkifiers": "abc-1 ",
        "short quotes of code": "```quote\n",
    }
    numbers = range(LENGTH)
    return {
        **{name: unit * LENGTH for name, unit in units.items()},
        "a wide table": "|a" * 60 + "|\n" + "|-" * 60 + "|\n" + "|\n" * LENGTH,
        "lazy lines": "> " * 16 + "a\n" + "b\n" * LENGTH,
        "code": "".join(_code(number) for number in numbers[:500]),
        "emoji": "".join(f":emoji_{number}: 🎉" for number in numbers[:1_000]),
        "other topics": "".join(f"#**channel 0>many {number}** " for number in numbers[:500]),
        "numbers of users": "".join(f"@_**|{user_id}** " for user_id in everyone[:1_000]),
    }


def hard_texts(db: Db, everyone: Sequence[UserId], channel: int) -> list[_Request]:
    """Return requests of the owner: user, name, request. `channel` has all users."""
    newest = db.value("SELECT max_id FROM topic WHERE name = ?", "called, to be edited")
    requests: list[_Request] = []
    for name, text in texts(everyone).items():
        content = text[: LENGTH - 5]
        said = {"type": "stream", "to": channel, "topic": "tea", "content": content}
        requests.append((OWNER, f"text: {name}", "POST", "messages", said))
    hardest = {"content": texts(everyone)["emphasis and emoji"][:LENGTH]}
    later = {"type": "stream", "to": channel, "topic": "t"} | hardest
    later["scheduled_delivery_timestamp"] = 4_000_000_000
    long: dict[str, Any] = {"anchor": "newest", "num_before": 100, "num_after": 0}
    long["narrow"] = [["channel", channel], ["topic", "a long page"]]
    edited = db.value("SELECT max_id FROM topic WHERE name = 'edited'")
    page = {"anchor": "newest", "num_before": 500, "num_after": 0, "narrow": [["channel", 5]]}
    return [
        *requests,
        (OWNER, "a text is edited", "PATCH", f"messages/{newest}", hardest),
        (OWNER, "a text is scheduled", "POST", "scheduled_messages", later),
        (OWNER, "a text is only shown", "POST", "messages/render", hardest),
        (OWNER, "500 topics with linkifiers", "GET", "messages", page),
        (OWNER, "100 long messages", "GET", "messages", long),
        (
            OWNER,
            "500 long messages",
            "GET",
            "messages",
            long | {"narrow": [["topic", "a long page"]]},
        ),
        (OWNER, "the edits of a long message", "GET", f"messages/{edited}/history", {}),
        (
            OWNER,
            "a linkifier more",
            "PATCH",
            f"realm/filters/{db.value('SELECT max(id) FROM linkifier')}",
            {"pattern": "(?P<id>[a-z]+)!", "url_template": "https://example.com/{id}"},
        ),
    ]
