"""Checks of a server's database and its surroundings, one per function. Changes nothing.

A check yields findings: what was checked, the result, and what to do about problems. All read one
snapshot, whether the database is served or not.
"""

import os
import platform
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Literal

import apsw

from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.maintenance import ssh_host_key
from server_lite.store import (
    backups,
    bots,
    checksums,
    keys,
    messages,
    search_index,
    secret_key,
    unread_messages,
    uploads,
    users,
)
from server_lite.store.connection import Db
from server_lite.store.instance_lock import Lock, beside, is_alive, server_info
from server_lite.store.migrations import has_table, newest, schema_version

Level = Literal["ok", "warn", "fail"]
MEGABYTE: Final = 1_000_000
LARGE_LOG: Final = 256 * MEGABYTE
LITTLE_SPACE: Final = 50 * MEGABYTE
UNFINISHED: Final = 24 * 3600
"""Seconds after which an unfinished upload should have been deleted."""
SKEW: Final = 60
"""Seconds by which a message may be in the future, as clocks get adjusted."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A line of the report; `remedy` says what to do, and is empty if nothing is."""

    check: str
    level: Level
    says: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class DatabaseUnderTest:
    """The file, a snapshot of it, and the time."""

    path: Path
    db: Db
    now: float


Check = Callable[[DatabaseUnderTest], Iterator[Finding]]


# Checks around the file


def server(path: Path) -> Iterator[Finding]:
    """Report which process owns the database."""
    lock, note = Lock(path), server_info(path)
    if lock.take():
        died = note is not None
        lock.release()
        says = "no server is running" + (": the last server was killed" if died else "")
        yield Finding("server", "ok", says)
    elif note is not None and is_alive(note.pid):
        yield Finding("server", "ok", f"process {note.pid} serves it at {note.url}")
    else:
        yield Finding(
            "server", "warn", "another program is using the file", "wait, and run doctor again"
        )


def modes(path: Path) -> Iterator[Finding]:
    """Check that private files are not accessible to others."""
    ends = ("", "-wal", "-shm")
    files = [path.with_name(path.name + end) for end in ends]
    files += [secret_key.path_beside(path), beside(path, "lock"), beside(path, "server.json")]
    there = [file for file in files if file.exists()]
    for file in there:
        mode = file.stat().st_mode & 0o777
        if mode & 0o077:
            yield Finding(
                "modes", "fail", f"others can open {file} ({mode:o})", f"chmod 600 {file}"
            )
        elif file.stat().st_uid != os.geteuid():
            yield Finding(
                "modes", "warn", f"{file} belongs to another account", f"chown it: {file}"
            )
    folder = path.resolve().parent
    if folder.stat().st_mode & 0o002:
        yield Finding("modes", "warn", f"anyone can write in {folder}", f"chmod o-w {folder}")
    yield Finding("modes", "ok", f"files checked: {len(there)}")


def space(path: Path) -> Iterator[Finding]:
    """Check that there is space to grow, and for a copy."""
    free, size = shutil.disk_usage(path.resolve().parent).free, path.stat().st_size
    says = f"{free / MEGABYTE:,.0f} MB free, the file has {size / MEGABYTE:,.1f} MB"
    if free < LITTLE_SPACE:
        yield Finding("space", "fail", says, "free disk space: soon nothing can be stored")
    elif free < size * 2:
        yield Finding("space", "warn", says, "a backup on this disk may not fit")
    else:
        yield Finding("space", "ok", says)


def log(path: Path) -> Iterator[Finding]:
    """Check that the write-ahead log restarts regularly, which a stuck reader prevents."""
    wal = path.with_name(f"{path.name}-wal")
    size = wal.stat().st_size if wal.exists() else 0
    says = f"the write-ahead log has {size / MEGABYTE:,.1f} MB"
    if size > LARGE_LOG:
        remedy = "restart the server; if it grows again, some program keeps the file open"
        yield Finding("log", "warn", says, remedy)
    else:
        yield Finding("log", "ok", says)


def versions(_path: Path) -> Iterator[Finding]:
    """Report the versions of Python and SQLite."""
    says = f"Python {platform.python_version()}, SQLite {apsw.sqlite_lib_version()}"
    yield Finding("versions", "ok", says)


def ssh(path: Path) -> Iterator[Finding]:
    """Check the host key of `serve --ssh` and report its fingerprint."""
    key = ssh_host_key.state(path) / "host_ed25519"
    if not key.exists():
        return
    digest = ssh_host_key.fingerprint(path)
    if key.stat().st_mode & 0o077:
        yield Finding("ssh", "fail", f"{key} can be read by others", f"`chmod 600 {key}`")
    elif not digest:
        yield Finding("ssh", "warn", f"{key}.pub cannot be read", "`chinwag ssh-keys fingerprint`")
    else:
        yield Finding("ssh", "ok", f"host key ED25519 {digest}")


AROUND: Final = (server, modes, space, log, versions, ssh)


# Checks in the file


def schema(tested: DatabaseUnderTest) -> Iterator[Finding]:
    """Report the schema's version."""
    version = schema_version(tested.db)
    if version < newest():
        says = f"schema {version}; this version upgrades it to {newest()} when it is served"
        yield Finding("schema", "warn", says, "`serve --check` shows what it would do")
    else:
        yield Finding("schema", "ok", f"schema {version}")


def pages(tested: DatabaseUnderTest) -> Iterator[Finding]:
    """Check every page and index."""
    try:
        problems = backups.integrity(tested.db)
    except apsw.Error as error:  # an unreadable page ends the check of all pages
        problems = [checksums.error_text(error)]
    for text in problems:
        yield Finding("pages", "fail", text, "restore the newest intact backup")
    if problems:
        return
    says = "all pages and indexes are intact"
    if not checksums.has_checksums(tested.path):
        remedy = "`backup`, then `restore` the backup: that adds them"
        yield Finding("pages", "warn", f"{says}, but pages have no checksums", remedy)
    elif not checksums.available():
        says += ", but this build of apsw cannot compare checksums"
        yield Finding("pages", "warn", says, "install apsw as a wheel")
    else:
        yield Finding("pages", "ok", "all pages and indexes are intact and match their checksums")


def references(tested: DatabaseUnderTest) -> Iterator[Finding]:
    """Check references between rows."""
    tables = backups.dangling(tested.db)
    for table in tables:
        says = f"broken references in {table}"
        yield Finding("references", "fail", says, "restore the newest intact backup")
    if not tables:
        yield Finding("references", "ok", "all references are valid")


def search(tested: DatabaseUnderTest) -> Iterator[Finding]:
    """Check that the search index contains each message once, and nothing else."""
    is_new = has_table(tested.db, "search_backlog")
    waiting = search_index.backlog(tested.db) if is_new else 0
    lacking = sum(message_id > waiting for message_id in search_index.missing(tested.db))
    extra = len(search_index.stale(tested.db))
    if waiting:
        says = f"messages up to {waiting:,} are not all in the search index yet after the upgrade"
        yield Finding(
            "search", "warn", says, "serve the file: the server indexes them in the background"
        )
    if lacking or extra:
        says = f"{lacking} messages missing from the search index, {extra} stale entries"
        yield Finding("search", "warn", says, "stop the server, then `doctor --repair`")
    elif not waiting:
        number = messages.count(tested.db)
        yield Finding("search", "ok", f"messages: {number:,}, all in the index")


def unread(tested: DatabaseUnderTest) -> Iterator[Finding]:
    """Check that the lists of unread messages by user have the rows that they should have."""
    wrong = unread_messages.count_wrong(tested.db)
    if wrong:
        says = f"{wrong:,} missing or stale entries in the lists of unread messages"
        yield Finding("unread", "warn", says, "stop the server, then `doctor --repair`")
    else:
        yield Finding("unread", "ok", "the lists of unread messages are complete")


def files(tested: DatabaseUnderTest) -> Iterator[Finding]:
    """Check that no bytes of files are missing, and no unfinished uploads are left."""
    db = tested.db
    short = uploads.incomplete_names(db)
    for name in short:
        yield Finding("uploads", "fail", f"{name!r} is incomplete", "restore it from a backup")
    number, size = uploads.count_and_size(db)
    orphans = uploads.count_unfinished(db, before=tested.now - UNFINISHED)
    loose = uploads.count_unlinked(db)
    says = f"files: {number:,} ({size / MEGABYTE:,.1f} MB), not in a message: {loose:,}"
    if orphans:
        says += f"; {orphans:,} unfinished"
        yield Finding("uploads", "warn", says, "the server removes them within a minute")
    elif not short:
        yield Finding("uploads", "ok", says)


def clock(tested: DatabaseUnderTest) -> Iterator[Finding]:
    """Check that no message is in the future."""
    newest_at = messages.newest_timestamp(tested.db) or 0
    here = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(tested.now))
    if newest_at > tested.now + SKEW:
        says = f"the clock says {here}, and the newest message is {newest_at - tested.now:,.0f} s ahead"
        yield Finding("clock", "warn", says, "set the clock (NTP): times in messages come from it")
    else:
        yield Finding("clock", "ok", here)


def key(tested: DatabaseUnderTest) -> Iterator[Finding]:
    """Check that the key file exists, is valid, and is the one that bots' keys were made with."""
    path = secret_key.path_beside(tested.path)
    salted = bots.with_sealed_keys(tested.db)
    if not path.exists():
        if salted:
            remedy = "restore it from a backup; bots keep working, but their keys cannot be shown"
            yield Finding("key", "warn", f"{path} is missing", remedy)
        else:
            yield Finding("key", "ok", "no key file yet, and no bot that needs one")
        return
    secret = path.read_bytes()
    if len(secret) != secret_key.SECRET_BYTES:
        yield Finding("key", "fail", f"{path} is damaged", "restore it from a backup")
    elif foreign := [bot for bot in salted if not _made_with(tested.db, bot, secret)]:
        says = f"bots whose keys were encrypted with another key file: {len(foreign)}"
        yield Finding("key", "warn", says, "restore that file, or rotate the keys: `bot key --new`")
    else:
        yield Finding("key", "ok", f"bots whose keys it encrypts: {len(salted)}")


def _made_with(db: Db, bot_id: UserId, secret: bytes) -> bool:
    """Whether the bot's API key was made with this secret. True for a deactivated bot, which has none."""
    if not keys.has_key(db, bot_id):
        return True
    salt = bots.by_id(db, bot_id).key_salt
    assert salt is not None
    owner = keys.owner(db, secret_key.derived(secret, salt, "api key"))
    return owner is not None and owner.id == bot_id


def people(tested: DatabaseUnderTest) -> Iterator[Finding]:
    """Check that the organization has an owner."""
    if users.first_owner(tested.db) is None:
        remedy = "`user set-role --role owner` for someone"
        yield Finding("people", "fail", "the organization has no owner", remedy)
    else:
        owners, active = users.count_owners(tested.db), users.count_people(tested.db)
        yield Finding("people", "ok", f"active: {active:,}, owners: {owners:,}")


OF_ANY_VERSION: Final[tuple[Check, ...]] = (schema, pages, references)
"""Checks that refer to no table by name, for files of older versions."""

INSIDE: Final[tuple[Check, ...]] = (
    *OF_ANY_VERSION,
    search,
    unread,
    files,
    clock,
    key,
    people,
)
