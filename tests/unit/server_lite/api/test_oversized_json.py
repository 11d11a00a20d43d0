"""JSON of a megabyte in any parameter: it is refused by its size, before each of its mistakes is described."""

from typing import Any, Final

import orjson
import pytest
from pydantic import ValidationError

from server_lite.api import decoding
from server_lite.errors import ApiError
from server_lite.routes import TABLE
from server_lite.validation import from_json
from tests.call_counter import calls

MEGABYTE: Final = 1_000_000
TEXTS: Final = {
    text[:12]: text
    for text in (
        "[" + "[]," * 330_000 + "1]",
        "[" + "{}," * 330_000 + "1]",
        "[" + '"",' * 330_000 + "1]",
        "[" + "1," * 500_000 + "[]]",
        "[" + "NaN," * 250_000 + "1]",
        "[[" + "[]," * 330_000 + "1]]",
        '[{"a":[' + "[]," * 330_000 + "1]}]",
        "[" * 500_000,
        '{"a":' * 200_000,
        "{" + ",".join(f'"{n}":[]' for n in range(80_000)) + "}",
        "{" + ",".join(f'"k{n}":1' for n in range(80_000)) + "}",
        "[" + ",".join(["[" + "{}," * 990 + "1]"] * 300) + "]",
        "9" * MEGABYTE,
        '"' + '\\"' * 500_000,
        '["' + '\\",' * 300_000,
        '",' * 500_000,
    )
}
MOST: Final = 30_000
"""Mistakes that one refusal may describe: some milliseconds' worth."""


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_no_parameter_describes_every_mistake(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One request would hold up everybody for seconds."""
    described, read = [0], [0]
    complaint = decoding.complaint

    def counting(text: str) -> object:
        read.append(text.count(",") + text.count("[") + text.count("{"))
        return from_json(text)

    def counted(name: str, error: ValidationError) -> str:
        described.append(error.error_count())
        return complaint(name, error)

    monkeypatch.setattr(decoding, "complaint", counted)
    monkeypatch.setattr(decoding, "from_json", counting)
    decoders: dict[Any, tuple[str, Any]] = {}
    for route in TABLE.routes:
        for contract in route.contracts.values():
            for one in contract.form:
                decoders.setdefault(repr((one.hint, one.notes)), (one.name, one.decode))
    assert len(decoders) > 30
    for name, decode in decoders.values():
        taken = calls(lambda: _refused(name, text, decode))  # noqa: B023  # called at once
        assert max(described) <= MOST, name
        assert max(read) <= MOST, name
        assert taken < 10 * MOST, name


def _refused(name: str, text: str, decode: Any) -> None:
    try:
        decode(name, text)
    except ApiError:
        return
    assert len(text) <= 2**20  # text that is cut later


def test_long_text_within_a_structure_is_no_list() -> None:
    """A draft full of commas and brackets is stored as it is."""
    content = 'a, "b", [c], {d} \\ ' * 400
    decode = decoding.decoder(list[dict[str, str]], ())
    assert (
        decode("drafts", orjson.dumps([{"content": content}] * 3).decode())
        == [{"content": content}] * 3
    )
