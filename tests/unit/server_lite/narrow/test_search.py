"""The language of search: what people type, what the index finds, what is marked."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server_lite.narrow.search import Sought, hits, sought
from server_lite.store import messages
from server_lite.store.database import Database, Tx

TEXT = st.text(alphabet='abCé"+-*:()^ñß_0 \n', max_size=12)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A file with an empty index."""
    folder: Path = tmp_path_factory.mktemp("search")
    database = Database(folder / "chinwag.db")
    yield database
    database.close()


@given(TEXT, TEXT)
def test_the_index_finds_what_is_marked(database: Database, text: str, typed: str) -> None:
    """Whatever is typed is a search without error, and a match always shows why it is one."""
    wanted = [one for one in sought(typed) if one.words]
    match = " AND ".join(one.fts for one in wanted)

    def found(tx: Tx) -> bool:
        tx.run("DELETE FROM message_text")
        messages.index(tx, 1, "", text)
        return bool(tx.rows("SELECT 1 FROM message_text WHERE message_text MATCH ?", match))

    if wanted:
        marked = all(hits(text, [one]) for one in wanted)
        assert database.write_now(found) == marked


def test_phrases_and_beginnings() -> None:
    """Quoted words stand together as they are; a bare word also finds longer ones."""
    assert sought('tea "hot cup" x') == [
        Sought("tea", ("tea",), True),
        Sought("hot cup", ("hot", "cup"), False),
        Sought("x", ("x",), False),
    ]
    assert hits("Teapot, a hot cup", sought('tea "hot cup"')) == [(0, 6), (10, 17)]
    assert hits("cup hot", sought('"hot cup"')) == []
    assert hits("CAFÉ cafe", sought("café")) == [(0, 4), (5, 9)]
    assert hits("a :) b", sought(":)")) == [(2, 4)]
