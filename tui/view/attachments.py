"""The user's files as lines: size, time, use. Pure."""

from collections.abc import Iterable

from tui.api.model import Attachment
from tui.view.counts import counted
from tui.view.times import Times

MILLISECONDS_FROM = 10**11
"""Before level 443 servers sent milliseconds; no time in seconds of this millennium is so large."""


def in_order(attachments: Iterable[Attachment]) -> list[Attachment]:
    """Return the files, newest first."""
    return sorted(attachments, key=lambda each: (created(each), each.id), reverse=True)


def created(attachment: Attachment) -> float:
    """Return the upload time in UNIX seconds."""
    at = attachment.create_time
    return at / 1000 if at >= MILLISECONDS_FROM else float(at)


def detail(attachment: Attachment, times: Times) -> str:
    """Return size, time, and the number of messages that use the file."""
    count = len(attachment.message_ids)
    used = f"in {counted(count, 'message', 'messages')}" if count else "not in a message"
    return f"{size(attachment.size)} · {times.moment(created(attachment))} · {used}"


def size(count: int) -> str:
    """Format a size: `900 B`, `1.5 KiB`, `20 MiB`."""
    if count < 1024:
        return f"{count} B"
    amount, unit = float(count), "B"
    for unit in ("KiB", "MiB", "GiB"):  # noqa: B007  # the last one is used below
        amount /= 1024
        if amount < 1024:
            break
    return f"{amount:.1f} {unit}" if amount < 10 else f"{amount:.0f} {unit}"
