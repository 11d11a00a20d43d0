"""The language of search: what people type, what the index finds, what is marked."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server_lite.ids import MessageId
from server_lite.narrow.search import SearchTerm, hits, parse_search
from server_lite.store import search_index
from server_lite.store.database import Database, Tx
from server_lite.store.words import words_of
from tests.searches import SEARCHES

TEXT = st.text(alphabet='abCé"+-*:()^ñß_0 \ningsely红茶회กี', max_size=16)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A file with an empty index."""
    folder: Path = tmp_path_factory.mktemp("search")
    database = Database(folder / "chinwag.db")
    yield database
    database.close()


def found(database: Database, typed: str, text: str) -> bool:
    """Whether the index finds the words of a search."""
    match = " AND ".join(one.fts for one in parse_search(typed) if one.words)

    def run(tx: Tx) -> bool:
        tx.run("DELETE FROM message_text")
        search_index.add(tx, MessageId(1), "", text)
        return not match or bool(
            tx.rows("SELECT 1 FROM message_text WHERE message_text MATCH ?", match)
        )

    return database.write_now(run)


@given(TEXT, TEXT)
def test_the_index_finds_what_is_marked(database: Database, text: str, typed: str) -> None:
    """Whatever is typed is a search without error, and a match always shows why it is one."""
    marked = all(hits(text, [one]) for one in parse_search(typed) if one.words)
    assert found(database, typed, text) == marked


@pytest.mark.parametrize(("typed", "text", "is_found"), SEARCHES)
def test_searches(database: Database, typed: str, text: str, is_found: bool) -> None:
    """What people expect to be found is found, and marked; the client's file has the same table."""
    assert found(database, typed, text) >= is_found  # signs are not in the index
    assert all(hits(text, [one]) for one in parse_search(typed)) == is_found


@given(st.lists(st.text("aeiouybcdglmnrstvz", min_size=1, max_size=14), max_size=8))
def test_stems_are_sqlites(database: Database, words: list[str]) -> None:
    """Else what is found would not be marked, and what is searched for here and there would differ."""
    endings = ["", "s", "es", "ies", "ed", "ing", "ational", "ousness", "ement", "ion", "ll", "y"]
    text = " ".join(word + ending for word in words for ending in endings)

    def run(tx: Tx) -> set[str]:
        tx.run("DELETE FROM message_text")
        search_index.add(tx, MessageId(1), "", text)
        tx.run("DROP TABLE IF EXISTS temp.terms")
        tx.run("CREATE VIRTUAL TABLE temp.terms USING fts5vocab (main, message_text, row)")
        return set(tx.column("SELECT term FROM temp.terms"))

    assert database.write_now(run) == {word.stem for word in words_of(text)}


def test_phrases_and_beginnings() -> None:
    """Quoted words stand together; a bare word that is a stem also finds longer ones."""
    assert parse_search('tea "hot cups" x') == [
        SearchTerm("tea", ("tea",), True),
        SearchTerm("hot cups", ("hot", "cup"), False),
        SearchTerm("x", ("x",), False),
    ]
    assert hits("Teapot, a hot cup", parse_search('tea "hot cup"')) == [(0, 6), (10, 13), (14, 17)]
    assert hits("CAFÉ cafe", parse_search("café")) == [(0, 4), (5, 9)]
    assert hits("a :) b", parse_search(":)")) == [(2, 4)]
