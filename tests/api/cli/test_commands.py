"""The server's commands as their user sees them: what they do, and one sentence when they do not."""

import asyncio
import json
import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from server_lite import VERSION
from server_lite.cli.arguments import run
from server_lite.config import PasswordCost
from server_lite.ids import UserId
from server_lite.store import keys, users
from server_lite.store.database import Database
from server_lite.store.instance_lock import Lock, ServerInfo
from server_lite.store.users import Role
from tests.live import live
from tests.unit.server_lite.cli.conftest import Command, init


def people(command: Command, db: Path) -> list[tuple[str, str]]:
    """(address, role) of every account."""
    listed = json.loads(command("user", "list", "--db", db, "--json").out)
    return [(user["email"], user["role"]) for user in listed]


@pytest.mark.usefixtures("created_anew")
def test_a_new_organization_is_complete_and_private(team: Path, command: Command) -> None:
    """It has its owner and a channel with several topics to read, and nobody else can open it."""
    assert people(command, team) == [("o@x.org", "owner")]
    database = Database(team)
    topics = database.reader.column("SELECT DISTINCT name FROM topic ORDER BY name")
    owner = users.first_owner(database.reader)
    assert owner is not None
    unread = database.reader.value("SELECT count(*) FROM unread WHERE user_id = ?", owner.id)
    database.close()
    assert len(topics) == 4
    assert unread >= len(topics)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in team.parent.iterdir()}
    assert modes == {"team.db": 0o600, "team.db.lock": 0o600}


def test_accounts_and_channels_are_added_without_a_server(team: Path, command: Command) -> None:
    """Nothing has to run to make an account."""
    added = command(
        *("user", "add", "--db", team, "--email", "a@x.org", "--name", "Ann"),
        *("--role", "administrator", "--password-stdin"),
        stdin="also long enough\n",
    )
    assert (added.code, added.out) == (0, "a@x.org is account 3.\n")
    assert command("channel", "add", "--db", team, "--name", "design").code == 0
    again = command("channel", "add", "--db", team, "--name", "DESIGN")
    assert (again.code, again.err) == (1, "chinwag-server: Channel 'DESIGN' already exists\n")
    slip = command("user", "add", "--db", team, "--email", "ben@example", "--name", "Ben")
    assert (slip.code, slip.err) == (1, "chinwag-server: Enter a valid email address.\n")
    king = command("user", "add", "--db", team, "--email", "k@x.y", "--name", "K", "--role", "king")
    assert king.code == 1
    assert "There is no role 'king'; the roles are owner, administrator" in king.err
    assert people(command, team) == [("o@x.org", "owner"), ("a@x.org", "administrator")]
    assert "administrator" in command("user", "list", "--db", team).out


@pytest.mark.parametrize(
    ("changed", "password", "sentence"),
    [
        ({"owner_email": "nobody"}, "long enough", "Enter a valid email address."),
        ({"owner_email": "nobody@example"}, "long enough", "Enter a valid email address."),
        ({"owner_name": " "}, "long enough", "Name too short!"),
        ({"realm_name": ""}, "long enough", "An organization needs a name."),
        ({}, "short", "The password is too short: at least 8 characters, please."),
        ({}, "", "The password is too short: at least 8 characters, please."),
    ],
)
def test_a_refused_init_leaves_nothing(
    tmp_path: Path, command: Command, changed: dict[str, str], password: str, sentence: str
) -> None:
    """A mistake is one sentence, and there is no half-made file to stumble over."""
    db = tmp_path / "team.db"
    refused = command(*init(db, **changed), stdin=password)
    assert (refused.code, refused.out, refused.err) == (1, "", f"chinwag-server: {sentence}\n")
    assert [path.name for path in tmp_path.iterdir() if "lock" not in path.name] == []
    assert command(*init(db), stdin="long enough").code == 0


def test_init_overwrites_nothing(team: Path, command: Command) -> None:
    """A second init, or one onto any other file, leaves what is there."""
    before = team.read_bytes()
    link = team.with_name("dangling")
    link.symlink_to(team.with_name("nowhere"))
    for db in (team, link):
        refused = command(*init(db), stdin="long enough")
        assert refused.code == 1
        assert refused.err.endswith("already exists, and was not changed.\n")
    assert team.read_bytes() == before


def gone(path: Path) -> None:
    path.unlink()


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def not_ours(path: Path) -> None:
    path.unlink()
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE cookies (name)")
    connection.close()


def newer(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", 999)
    connection.close()


def noise(path: Path) -> None:
    path.write_bytes(b"This is a letter to my aunt. " * 200)


def damaged(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096 : 4096 * 20] = os.urandom(4096 * 19)
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("spoil", "part"),
    [
        (gone, "no such file"),
        (emptied, "is empty"),
        (not_ours, "belongs to another program"),
        (newer, "was made by a newer version"),
        (noise, "is not a database"),
    ],
)
def test_a_file_that_cannot_be_served_is_explained_and_left(
    team: Path, command: Command, spoil: Callable[[Path], None], part: str
) -> None:
    """Whatever lies at the path: one sentence, exit code 1, and not one byte changed."""
    spoil(team)
    before = team.read_bytes() if team.exists() else None
    for words in (["serve"], ["user", "list"]):
        refused = command(*words, "--db", team)
        assert refused.code == 1
        assert part in refused.err
        assert refused.err.count("\n") == 1
    assert (team.read_bytes() if team.exists() else None) == before


def test_damage_is_a_sentence_and_no_traceback(team: Path, command: Command) -> None:
    """A file with bad pages ends a command with a sentence."""
    damaged(team)
    refused = command("user", "list", "--db", team)
    assert refused.code == 1
    assert refused.err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["serve"],
        ["serve", "--db", "x", "--port", "70000"],
        ["serve", "--db", "x", "--port", "http"],
        ["local", "--data-dir", "x", "--exit-when-idle", "-1"],
    ],
)
def test_words_that_make_no_sense_are_told_with_the_usage(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, and how it is meant."""
    umask = os.umask(0o022)
    try:
        with pytest.raises(SystemExit) as left:
            run(words)
    finally:
        os.umask(umask)
    assert left.value.code == 2
    assert capsys.readouterr().err.startswith("usage: chinwag-server")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["bakup"], "chinwag-server: there is no command “bakup”. Did you mean “backup”?\n"),
        (["user", "lst"], "chinwag-server user: there is no command “lst”. Did you mean “list”?\n"),
    ],
)
def test_a_misspelled_command_names_the_one_that_was_meant(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Commands of commands too."""
    umask = os.umask(0o022)
    try:
        with pytest.raises(SystemExit) as left:
            run(words)
    finally:
        os.umask(umask)
    assert (left.value.code, capsys.readouterr().err) == (2, sentence)


def test_a_port_in_use_is_a_sentence(team: Path, command: Command) -> None:
    """The server says which port, and leaves the database free."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = command("serve", "--db", team, "--port", str(port))
    assert refused.code == 1
    assert refused.err.startswith(f"chinwag-server: Port {port} on 127.0.0.1 cannot be used")
    assert command("user", "list", "--db", team).code == 0


def test_a_second_owner_of_the_file_is_refused(team: Path, command: Command) -> None:
    """Two servers on one file would be two truths."""
    lock = Lock(team)
    assert lock.take()
    note = ServerInfo(
        pid=os.getpid(), host="127.0.0.1", port=1, url="http://x", version="1", secret="s"
    )
    lock.publish(note)
    refused = command("serve", "--db", team)
    lock.release()
    assert refused.code == 1
    assert f"already served, by process {os.getpid()} at http://x" in refused.err


async def test_a_running_server_carries_the_command_out(tmp_path: Path) -> None:
    """An account made while people chat is told to them at once; the password works."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        queue = await ann.post("register", event_types=["realm_user"])
        lock = Lock(server.settings.db)
        assert lock.take()
        port = int(server.url.rpartition(":")[2])
        secret = server.app.context.secret
        lock.publish(
            ServerInfo(
                pid=os.getpid(),
                host="127.0.0.1",
                port=port,
                url=server.url,
                version=VERSION,
                secret=secret,
            )
        )
        assert stat.S_IMODE(lock.note.stat().st_mode) == 0o600
        words = ["user", "add", "--db", str(server.settings.db)]
        words += ["--email", "bo@x.org", "--name", "Bo"]
        umask = os.umask(0o022)
        codes = [await asyncio.to_thread(run, words) for _ in range(2)]
        os.umask(umask)
        lock.release()
        assert codes == [0, 1]
        (told,) = await ann.events(queue)
        assert told["person"]["email"] == "bo@x.org"


def test_a_password_set_by_command_is_hashed(
    team: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file holds neither the password nor any key in the clear, and guessing costs 19 MiB and two passes each."""
    monkeypatch.setattr("server_lite.cli.secret_input.PasswordCost", PasswordCost)
    words = ("user", "set-password", "--db", team, "--email", "O@X.ORG", "--password-stdin")
    assert command(*words, stdin="quite another one\n").code == 0
    data = team.read_bytes()
    assert b"quite another one" not in data
    assert b"$argon2id$v=19$m=19456,t=2,p=1$" in data
    refused = command(*words[:-2], "nobody@x.org", "--password-stdin", stdin="quite another one\n")
    assert refused.err == "chinwag-server: No account has the email address nobody@x.org.\n"


def test_a_key_is_kept_as_a_digest(team: Path) -> None:
    """Who steals the file signs in as nobody."""
    database = Database(team)
    key = keys.new_key()
    database.write_now(lambda tx: keys.insert(tx, UserId(2), key, "test", tx.now))
    database.close()
    assert key.encode() not in team.read_bytes()
