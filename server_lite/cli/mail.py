"""`chinwag-server mail`: posts an email from standard input to the channels it was addressed to.

Called by a mail server, which reads the exit code: those of sysexits.h.
"""

import argparse
import base64
import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from server_lite.actions.uploads import slices
from server_lite.cli import output
from server_lite.cli.admin_dispatch import carry_out
from server_lite.config import Limits
from server_lite.errors import ApiError, StartError, Unavailable
from server_lite.mail.reading import Attached, Mail, NoMail, read_mail
from server_lite.mail.replies import written
from server_lite.markup.untrusted_text import plain

DATA_ERROR, NO_USER, TRY_AGAIN, NOT_ALLOWED = 65, 67, 75, 77
"""EX_DATAERR, EX_NOUSER, EX_TEMPFAIL, EX_NOPERM."""
MAX_BYTES: Final = 40 * 1024 * 1024
MAX_FILES: Final = 20
MAX_TEXT: Final = 20_000


def deliver(options: argparse.Namespace) -> int:
    """Post the email; returns 0 also if it was posted before, or was sent automatically."""
    try:
        return _delivered(options.db, options.address)
    except (StartError, Unavailable, OSError) as error:
        output.warn(f"{error} The mail server can try again.")
        return TRY_AGAIN
    except NoMail:
        output.warn("Standard input is not an email.")
        return DATA_ERROR
    except ApiError as error:
        output.warn(error.msg)
        return NOT_ALLOWED


def _delivered(db: Path, address: str | None) -> int:
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        output.warn(f"The email is larger than {MAX_BYTES // 1024**2} MiB.")
        return DATA_ERROR
    mail = read_mail(data)
    if not mail.address:
        raise NoMail
    if mail.is_automatic:
        output.warn("Ignored an email that a program sent.")
        return 0
    key = mail.key or hashlib.blake2b(data, digest_size=16).hexdigest()
    states = [(each, _state(db, each, key)) for each in _recipients(mail, address)]
    if all(state == "unknown" for _, state in states):
        output.warn("No channel has this email address.")
        return NO_USER
    for each, state in states:
        if state == "new":
            _post(db, each, key, mail)
    return 0


def _recipients(mail: Mail, address: str | None) -> list[str]:
    """Return the recipients from the mail server; else those in its headers."""
    given = address or os.environ.get("ORIGINAL_RECIPIENT") or os.environ.get("RECIPIENT")
    return [given] if given else list(mail.recipients)


def _state(db: Path, address: str, key: str) -> str:
    return str(carry_out(db, "mail_check", address=address, key=key)["state"])


def _post(db: Path, address: str, key: str, mail: Mail) -> None:
    carry_out(
        db,
        "mail_post",
        address=address,
        key=key,
        name=mail.name,
        sender=mail.address,
        subject=mail.subject,
        text=written(mail.text[:MAX_TEXT]),
        files=list(_files(db, address, mail)),
    )


def _files(db: Path, address: str, mail: Mail) -> Iterator[str]:
    """Store the files and yield links to them; a note for each that is not stored."""
    for file in mail.files[:MAX_FILES]:
        if len(file.data) > Limits().upload_bytes:
            yield f"{plain(file.name)} (too large)"
        else:
            yield _stored(db, address, file)
    if len(mail.files) > MAX_FILES:
        yield f"… and {len(mail.files) - MAX_FILES} more files"


def _stored(db: Path, address: str, file: Attached) -> str:
    size = len(file.data)
    begun = carry_out(
        *(db, "mail_file"),
        address=address,
        name=file.name,
        content_type=file.content_type,
        size=size,
    )
    upload_id = begun["upload_id"]
    for number, part in slices(file.data):
        text = base64.b64encode(part).decode()
        carry_out(db, "mail_slice", upload_id=upload_id, number=number, data=text)
    done = carry_out(db, "mail_file_end", upload_id=upload_id, size=size)
    return f"[{plain(done['name'])}]({done['url']})"
