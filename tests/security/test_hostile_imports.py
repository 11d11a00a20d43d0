"""Archives and tables of strangers: refused in a sentence before anything is unpacked, or taken as they are."""

import gzip
import io
import json
import os
import random
import tarfile
from contextlib import suppress
from pathlib import Path

import pytest

from server_lite.data_import.json_rows import rows
from server_lite.data_import.organization import import_file
from server_lite.demo import stage
from server_lite.errors import StartError
from server_lite.export.zulip.writer import export_for_zulip

Members = list[tuple[tarfile.TarInfo, bytes]]


def quiet(_done: int, _of: int) -> None:
    """Told of progress."""


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The export of an organization, in a folder."""
    folder = tmp_path_factory.mktemp("export")
    stage.create(folder / "team.db", "hashed")
    export_for_zulip(folder / "team.db", folder / "team", version=12, tell=quiet)
    return folder / "team"


def members_of(folder: Path) -> Members:
    """What an archive of the export has in it."""
    members = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            member = tarfile.TarInfo(f"team/{path.relative_to(folder).as_posix()}")
            data = path.read_bytes()
            member.size = len(data)
            members.append((member, data))
    return members


def packed(members: Members) -> bytes:
    """The archive."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", compresslevel=1) as archive:
        for member, data in members:
            archive.addfile(member, io.BytesIO(data))
    return out.getvalue()


def plain(name: str, data: bytes = b"x", **fields: object) -> tuple[tarfile.TarInfo, bytes]:
    """One member."""
    member = tarfile.TarInfo(name)
    member.size = len(data)
    for field, value in fields.items():
        setattr(member, field, value)
    return member, data


def refused(path: Path) -> str:
    """The sentence with which a file is refused; checks that it leaves nothing behind."""
    folder = path.parent
    before = {one.name for one in folder.iterdir()}
    with pytest.raises(StartError) as raised:
        import_file(folder / "new.db", path, quiet)
    assert {one.name for one in folder.iterdir()} <= before
    assert len(str(raised.value)) < 500
    return str(raised.value)


HUGE = 10**14


@pytest.mark.parametrize(
    ("member", "sentence"),
    [
        (plain("../escaped"), "leads out of its folder"),
        (plain("team/../../escaped"), "leads out of its folder"),
        (plain("/escaped"), "leads out of its folder"),
        (plain("team/a\\..\\..\\b"), "leads out of its folder"),
        (plain("C:/escaped"), "leads out of its folder"),
        (plain("team/a\nb"), "leads out of its folder"),
        (plain("team/\x1b[2Jx"), "leads out of its folder"),
        (plain("team/" + "a/" * 30 + "b"), "leads out of its folder"),
        (plain("team/" + "a" * 300), "leads out of its folder"),
        (plain("team/l", b"", type=tarfile.SYMTYPE, linkname="/etc/passwd"), "neither a file"),
        (plain("team/l", b"", type=tarfile.LNKTYPE, linkname="team/realm.json"), "neither a file"),
        (plain("team/l", b"", type=tarfile.FIFOTYPE), "neither a file"),
        (plain("team/l", b"", type=tarfile.CHRTYPE), "neither a file"),
        (plain("team/realm.json"), "is in it twice"),
        (plain("team/hole", bytes(66 * 1024 * 1024)), "inflates to more than"),
    ],
)
def test_an_archive_that_is_no_export_is_refused_before_it_is_unpacked(
    export: Path, tmp_path: Path, member: tuple[tarfile.TarInfo, bytes], sentence: str
) -> None:
    """Paths, links, names twice, sizes: nothing of it is on the disk afterwards, here or elsewhere."""
    path = tmp_path / "in" / "a.tar.gz"
    path.parent.mkdir()
    path.write_bytes(packed([*members_of(export), member]))
    assert sentence in refused(path)
    assert {one.name for one in tmp_path.iterdir()} == {"in"}


def _claiming(kind: bytes, size: int) -> bytes:
    """An archive whose first header says that a long name, or a comment, of this size follows."""
    member = tarfile.TarInfo("long")
    member.type, member.size = kind, size
    return gzip.compress(member.tobuf(format=tarfile.GNU_FORMAT) + b"x" * 1024, mtime=0)


@pytest.mark.parametrize(
    "data",
    [
        _claiming(tarfile.GNUTYPE_LONGNAME, HUGE),
        _claiming(tarfile.GNUTYPE_LONGLINK, HUGE),
        _claiming(tarfile.XHDTYPE, HUGE),
        _claiming(tarfile.XGLTYPE, HUGE),
        _claiming(tarfile.GNUTYPE_SPARSE, HUGE),
        _claiming(tarfile.REGTYPE, HUGE),
        gzip.compress(b"not a tar", mtime=0),
        gzip.compress(b"", mtime=0),
        b"\x1f\x8b",
        b"\x1f\x8b\x08" + bytes(40),
    ],
)
def test_headers_that_claim_anything_fill_no_memory(tmp_path: Path, data: bytes) -> None:
    """A header of a hundred terabytes is not read, and no error of a library reaches people."""
    path = tmp_path / "a.tar.gz"
    path.write_bytes(data)
    assert "Traceback" not in refused(path)


def test_an_archive_that_is_cut_or_changed_is_refused(export: Path, tmp_path: Path) -> None:
    """Wherever it is cut, and whichever byte is another one, it is whole or refused."""
    path = tmp_path / "a.tar.gz"
    whole = packed(members_of(export))
    chance = random.Random(14)
    for at in sorted(chance.sample(range(len(whole) - 8), 12)):
        path.write_bytes(whole[:at])
        refused(path)
    for _ in range(12):
        damaged = bytearray(whole)
        damaged[chance.randrange(10, len(whole) - 8)] ^= 1 << chance.randrange(8)
        path.write_bytes(damaged)
        refused(path)


def test_links_in_a_folder_are_not_followed(export: Path, tmp_path: Path) -> None:
    """A folder that somebody unpacked by other means can have links in it."""
    secret = tmp_path / "secret"
    secret.write_bytes(b"of somebody else")
    folder = tmp_path / "export"
    folder.mkdir()
    for member, data in members_of(export):
        path = folder / member.name.removeprefix("team/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    upload = next(path for path in (folder / "uploads").rglob("*") if path.suffix == ".csv")
    upload.unlink()
    os.symlink(secret, upload)
    assert "an export has no links" in refused(folder)


BAD: list[str | None] = [
    *("null", '"x"', "-1", "0", "1e400", "NaN", "[]", "{}", "true", "0.5", '""', '"\\ud800"'),
    *("9007199254740993", "1" + "0" * 30, "1" + "0" * 5000, '"\\u0000"', f'"{"y" * 3000}"', None),
]
"""Values of a field, as JSON; None: it is missing."""


def test_any_value_of_any_field_is_taken_or_refused(export: Path, tmp_path: Path) -> None:
    """Wrong types, missing fields, huge numbers, half characters: never a traceback, never half of it."""
    chance = random.Random(2026)
    names = ("realm.json", "attachment.json", "messages-000001.json", "uploads/records.json")
    fields = []
    for name in names:
        data = json.loads((export / name).read_bytes())
        tables = data if isinstance(data, dict) else {"": data}
        fields += [
            (name, table, field)
            for table, table_rows in tables.items()
            if isinstance(table_rows, list) and table_rows
            for field in table_rows[0]
            if not field.startswith(("enable_", "web_"))
        ]
    for name, table, field in chance.sample(fields, 12):
        original = (export / name).read_bytes()
        data = json.loads(original)
        row = (data[table] if table else data)[0]
        value = chance.choice(BAD)
        row.pop(field) if value is None else row.update({field: "@@"})
        try:
            (export / name).write_text(json.dumps(data).replace('"@@"', value or '"@@"'))
            with suppress(StartError):  # anything else fails the test
                import_file(tmp_path / "new.db", export, quiet)
        finally:
            (export / name).write_bytes(original)
        assert {one.name for one in tmp_path.iterdir()} <= {"new.db", "new.db.lock"}
        (tmp_path / "new.db").unlink(missing_ok=True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[",
        '{"a":[',
        '{"a":[{}',
        '{"a":[{},]}',
        '{"a":[{}]',
        '{"a":[{}]}x',
        '{"a":[1 2]}',
        '{"a":1,}',
        "{1:2}",
        '{"a":NaN}',
        '{"a":Infinity}',
        '{"a":' + "[" * 100_000,
        '{"a":[' + '{"b":' * 100_000,
        '"text"',
        "\ufeff{}",
    ],
)
@pytest.mark.parametrize("whole", [0, 2**30])
def test_what_is_no_json_is_one_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, whole: int
) -> None:
    """Unfinished, nested without end, or something else; read at once or in pieces."""
    monkeypatch.setattr("server_lite.data_import.json_rows.WHOLE", whole)
    path = tmp_path / "realm.json"
    path.write_text(text, "utf-8")
    with pytest.raises(StartError, match=r"realm\.json is"):
        list(rows(path))


def test_rows_are_read_whatever_the_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values that lie across the pieces in which a file is read are whole."""
    monkeypatch.setattr("server_lite.data_import.json_rows.CHUNK", 3)
    monkeypatch.setattr("server_lite.data_import.json_rows.WHOLE", 0)
    data = {"a": [{"b": "c" * 20, "d": [1, 2.5, None, "ü€"]}, 12345678], "e": 123456, "f": []}
    for indent in (None, 2):
        path = tmp_path / f"{indent}.json"
        path.write_text(json.dumps(data, indent=indent, ensure_ascii=False), "utf-8")
        assert list(rows(path)) == [("a", data["a"][0]), ("a", 12345678), ("e", 123456)]  # type: ignore[index]  # lists
