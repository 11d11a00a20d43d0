"""Measures the search index, and the slowest searches.

    python benchmarks/search.py [--messages N] [--compare N]

A file with N messages, a fifth of them in Chinese, is indexed in slices as after an upgrade; then each search
requests its newest page, as in a reader thread. Prints CPU time: a slice, the whole index, each search (the
server stops one after 2 s). `--compare` prints the size of other indexes over so many of these texts.
"""

import argparse
import random
import sys
import tempfile
import time
from functools import partial
from itertools import accumulate
from pathlib import Path

import apsw

from server_lite.actions.channels import create_channel
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.users import create_user
from server_lite.narrow.query import query
from server_lite.narrow.terms import Term
from server_lite.store import search_index, topics
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role, UserRow
from server_lite.store.words import indexable

PART = 5000
SLICE = 100
ENDINGS = ["", "s", "ed", "ing", "ation", "ly"]
WORDS = [
    "the",
    *(f"{chr(97 + n % 26)}o{chr(97 + n // 26 % 26)}rk{n // 676}" for n in range(20_000)),
]
SIGNS = [chr(0x4E00 + number) for number in range(3000)]
SEARCHES = [
    '"the"',
    "aoark0s boark0",
    "aoark0 boark0 coark0 doark0",
    '"aoark0 boark0"',
    "aoa",
    "zoxrk20",
    "nowhere",
    SIGNS[0] + SIGNS[1],
    SIGNS[2] + SIGNS[1] + SIGNS[0],
    SIGNS[0] * 3,
    SIGNS[1500] + SIGNS[1501],
    f"{SIGNS[0]} aoark0",
]
"""From the most common to one without matches; signs are treated as words."""


class Texts:
    """Messages of words and signs of which the nth is n times rarer than the first."""

    def __init__(self) -> None:
        self._random = random.Random(7)
        self._words = list(accumulate(1 / (number + 1) for number in range(len(WORDS))))
        self._signs = list(accumulate(1 / (number + 1) for number in range(len(SIGNS))))

    def one(self) -> str:
        """Return the next text."""
        if self._random.random() < 0.2:
            return "".join(self._random.choices(SIGNS, cum_weights=self._signs, k=20))
        words = self._random.choices(WORDS, cum_weights=self._words, k=12)
        return " ".join(word + ENDINGS[at % 6] if at % 3 else word for at, word in enumerate(words))


def fill(database: Database, count: int) -> UserRow:
    """Create messages without an index, in one channel; returns a user who may read them."""
    texts = Texts()

    def begin(tx: Tx) -> tuple[UserRow, int, int]:
        user = create_user(
            tx, email="a@example.com", full_name="Ann", role=Role.OWNER, password=None
        )
        channel = create_channel(tx, None, name="general")
        subscribe(tx, [channel], [user])
        return user, channel.id, topics.get_or_create(tx, channel.id, "tea").id

    user, channel_id, topic_id = database.write_now(begin)

    def insert(tx: Tx) -> None:
        tx.many(
            "INSERT INTO message (sender_id, channel_id, topic_id, conversation_id, content, rendered,"
            " plain, timestamp, client, has_link, has_image, has_attachment)"
            " VALUES (?, ?, ?, NULL, '', '', ?, 1, 'benchmark', 0, 0, 0)",
            [(user.id, channel_id, topic_id, texts.one()) for _ in range(PART)],
        )

    for _ in range(count // PART):
        database.write_now(insert)
    return user


def index(database: Database) -> None:
    """Index everything, newest first."""
    newest = database.reader.value("SELECT max(id) FROM message")
    database.write_now(lambda tx: tx.run("INSERT INTO search_backlog VALUES (?)", newest + 1))
    database.write_now(lambda tx: tx.run("UPDATE search_index_progress SET indexed = ?", newest))
    before = database.reader.value("PRAGMA page_count")
    slices: list[float] = []
    start = time.process_time()
    more = True
    while more:
        count = SLICE if len(slices) < 100 else PART
        began = time.process_time()
        more = database.write_now(partial(search_index.add_earlier, count=count))
        slices.append((time.process_time() - began) * 1000)
        while database.write_now(search_index.merge):
            pass
    size = (database.reader.value("PRAGMA page_count") - before) * 4096 / 1e6
    print(f"indexed in {time.process_time() - start:.0f} s, {size:.0f} MB")
    print(f"a slice of {SLICE}: {max(slices[:100]):.1f} ms at most")


def search(database: Database, user: UserRow) -> None:
    """Fetch the newest page of each search."""
    for text in SEARCHES:
        began = time.process_time()
        search_query = query(database.reader, user, [Term("search", text)])
        ids = search_query.ids(database.reader, limit=100, newest=True)
        spent = (time.process_time() - began) * 1000
        print(f"{spent:8.1f} ms  {len(ids):4} found  {text}")


def compare(count: int) -> None:
    """Print sizes of indexes over the same texts."""
    texts = Texts()
    rows = [(number, texts.one()) for number in range(1, count + 1)]
    print(f"of {count:,} texts, {sum(len(text.encode()) for _, text in rows) / 1e6:.1f} MB:")
    for name, tokenizer, separate in (
        ("as before", "unicode61 remove_diacritics 2", False),
        ("stems and single signs", "porter unicode61 remove_diacritics 2", True),
        ("trigrams", "trigram", False),
    ):
        connection = apsw.Connection(":memory:")
        connection.execute(
            f"CREATE VIRTUAL TABLE text USING fts5 (x, content = '', contentless_delete = 1,"
            f' tokenize = "{tokenizer}")'
        )
        began = time.process_time()
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO text (rowid, x) VALUES (?, ?)",
            [(n, indexable(text) if separate else text) for n, text in rows],
        )
        connection.execute("COMMIT; INSERT INTO text (text) VALUES ('optimize')")
        size = connection.execute("SELECT sum(length(block)) FROM text_data").fetchone()
        assert size is not None
        print(f"{size[0] / 1e6:8.1f} MB {time.process_time() - began:6.1f} s  {name}")


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--compare", type=int, default=0)
    asked = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # of a terminal or a file
    if asked.compare:
        compare(asked.compare)
        return
    with tempfile.TemporaryDirectory() as folder:
        database = Database(Path(folder) / "search.db")
        user = fill(database, asked.messages)
        index(database)
        search(database, user)
        database.close()


if __name__ == "__main__":
    main()
