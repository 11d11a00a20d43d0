"""`chinwag ssh-keys`: people's SSH keys, for the owner of the machine. Stores digests only."""

from __future__ import annotations

import argparse
import sys
import time

from tui.cli import output
from tui.config import Folders
from tui.content.sanitize import sanitize_line
from tui.errors import ConfigError
from tui.ssh.front import fingerprint, require
from tui.ssh.keys import Keys

try:
    import asyncssh
except ImportError:  # the extra
    asyncssh = None  # type: ignore[assignment]  # checked before it is used


def run(arguments: argparse.Namespace, here: Folders) -> int:
    """List, import or revoke keys; a running service notices within a second."""
    del here
    require()
    if arguments.what == "fingerprint":
        output.show(fingerprint(arguments.state))
        return 0
    keys = Keys(arguments.state, time.time)
    try:
        match arguments.what:
            case "list":
                _list(keys)
            case "import":
                _import(keys, arguments.of)
            case _:
                _revoke(keys, arguments.of)
    finally:
        keys.close()
    return 0


def _list(keys: Keys) -> None:
    for each in keys.all():
        used = time.strftime("%Y-%m-%d", time.localtime(each.used)) if each.used else "never"
        state = "" if each.is_bound else "not confirmed"
        output.show(
            f"{each.digest}\t{each.person.email}\t{each.label}\tlast used {used}\t{state}".rstrip()
        )


def _import(keys: Keys, email: str) -> None:
    """Import lines of an `authorized_keys` file from standard input; their comments name the owners."""
    count = 0
    for number, line in enumerate(sys.stdin, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            key = asyncssh.import_public_key(text)
        except (asyncssh.KeyImportError, ValueError) as error:
            raise ConfigError(f"line {number} is no public key: {error}.") from error
        comment = sanitize_line(key.get_comment() or "")
        whose = email or comment
        if "@" not in whose:
            raise ConfigError(
                f"line {number} does not end with an email address: import EMAIL takes all lines for one person."
            )
        keys.note(keys.person(whose), key.get_fingerprint(), comment or "imported", "import")
        count += 1
    output.print_notice(f"Imported {count} keys. Each asks once when it is first used.")


def _revoke(keys: Keys, key_or_email: str) -> None:
    """Revoke a key by its fingerprint, or all of a person's by their email address."""
    if not key_or_email:
        raise ConfigError("revoke needs a fingerprint or an email address.")
    person = keys.find(key_or_email)
    if person is not None:
        keys.revoke_all(person)
    elif not keys.revoke(key_or_email):
        raise ConfigError("no key or person matches.")
    output.print_notice("Revoked. Sessions that it opened end now.")
