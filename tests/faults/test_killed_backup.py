"""The machine stops in the midst of a backup or a restore: there is the old or the new, and nothing is lost."""

import os
import shutil
from pathlib import Path

import apsw

from server_lite.actions.organization import NewOrganization
from server_lite.cli.arguments import run
from server_lite.maintenance.files import create_organization
from server_lite.store import backups, secret_key
from tests.faults.kill_points import deaths

OLD, NEW = b"old key, of 32 bytes altogether.", b"new key, of 32 bytes altogether."


def organization(db: Path, name: str, key: bytes) -> None:
    """A new one with a key file."""
    create_organization(
        db, NewOrganization(name=name, owner_email="o@x.org", owner_name="Olive", password=None)
    )
    secret_key.path_beside(db).write_bytes(key)


def name_of(db: Path) -> str:
    """Which organization the file is; it must be sound."""
    assert backups.faults(db) == []
    connection = apsw.Connection(
        f"file:{db}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    )
    try:
        name: str
        ((name,),) = connection.execute("SELECT value ->> '$' FROM setting WHERE name = 'name'")
    finally:
        connection.close()
    return name


def test_a_killed_backup_leaves_none_or_a_whole_one(tmp_path: Path) -> None:
    """What has the name of a backup can be restored; the next backup clears up."""
    db, kept = tmp_path / "team.db", tmp_path / "kept" / "team.db"
    kept.parent.mkdir()
    organization(db, "Team", NEW)
    for _ in deaths("backup", "--db", db, kept, least=5):
        if kept.exists():
            assert name_of(kept) == "Team"
            assert secret_key.path_beside(kept).read_bytes() == NEW
            kept.unlink()
        assert name_of(db) == "Team"
    assert sorted(os.listdir(kept.parent)) == ["team.db", "team.db.key"]


def test_a_killed_restore_leaves_the_old_or_the_new(tmp_path: Path) -> None:
    """The file in place is always one that can be served, and the old one is somewhere, with its key."""
    db, kept = tmp_path / "team.db", tmp_path / "kept.db"
    organization(kept, "New", NEW)
    organization(db, "Old", OLD)
    spare = shutil.copy(db, tmp_path / "spare.db")
    seen = set()
    for _ in deaths("restore", kept, "--db", db, "--force", least=8):
        seen.add(name_of(db))
        asides = [path for path in tmp_path.glob("team.db.before-*") if path.suffix != ".key"]
        if name_of(db) == "New":
            assert secret_key.path_beside(db).read_bytes() == NEW
            assert "Old" in {name_of(path) for path in asides}
        elif secret_key.path_beside(db).read_bytes() != OLD:
            assert OLD in {secret_key.path_beside(path).read_bytes() for path in asides}
        for path in tmp_path.glob("team.db.before-*"):
            path.unlink()
        if name_of(db) == "New":
            shutil.copy(spare, db)
            secret_key.path_beside(db).write_bytes(OLD)
    assert (name_of(db), secret_key.path_beside(db).read_bytes()) == ("New", NEW)
    assert "Old" in seen


def test_a_killed_import_leaves_nothing(tmp_path: Path) -> None:
    """No half an organization, readable to whoever looks, stays behind under a name that nobody knows."""
    db, new, out = tmp_path / "team.db", tmp_path / "new" / "team.db", tmp_path / "team.jsonl"
    new.parent.mkdir()
    organization(db, "Team", NEW)
    assert run(["export", "--db", str(db), "--out", str(out)]) == 0
    for _ in deaths("import", out, "--db", new, least=5):
        if new.exists():
            assert name_of(new) == "Team"
            new.unlink()
    assert name_of(new) == "Team"
    assert sorted(os.listdir(new.parent)) == ["team.db", "team.db.lock"]


def test_a_killed_later_import_leaves_the_old_or_the_new(tmp_path: Path) -> None:
    """The file in place can always be served, without what is new or with all of it."""
    source, db, out = tmp_path / "there.db", tmp_path / "here" / "team.db", tmp_path / "out.jsonl"
    db.parent.mkdir()
    organization(source, "Team", NEW)
    assert run(["export", "--db", str(source), "--out", str(out)]) == 0
    assert run(["import", str(out), "--db", str(db)]) == 0
    spare = shutil.copy(db, tmp_path / "spare.db")
    out.unlink()
    words = ["--db", str(source), "--email", "n@x.org", "--name", "New"]
    assert run(["user", "add", *words]) == 0
    assert run(["export", "--db", str(source), "--out", str(out)]) == 0

    def people() -> int:
        assert backups.faults(db) == []
        with backups.opened(db) as there:
            number: int = there.value("SELECT count(*) FROM user WHERE id > 1")
        return number

    seen = set()
    for _ in deaths("import", out, "--db", db, least=8):
        seen.add(people())
        for path in db.parent.glob("team.db.before-*"):
            path.unlink()
        if people() == 2:
            shutil.copy(spare, db)
    assert (people(), seen >= {1}) == (2, True)


def test_a_killed_export_leaves_none_or_a_whole_one(tmp_path: Path) -> None:
    """What has the name of an export can be imported; the next one clears up."""
    db, out = tmp_path / "team.db", tmp_path / "out" / "team.jsonl"
    out.parent.mkdir()
    organization(db, "Team", NEW)
    for number, _ in enumerate(deaths("export", "--db", db, "--out", out, least=2)):
        if out.exists():
            assert run(["import", str(out), "--db", str(tmp_path / f"{number}.db")]) == 0
            out.unlink()
    assert os.listdir(out.parent) == ["team.jsonl"]
