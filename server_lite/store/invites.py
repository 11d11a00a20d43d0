"""Rows of invitations. SQL only."""

from typing import Final

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import ChannelId, UserId
from server_lite.store.connection import Db, Row
from server_lite.store.rows import insert_row


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Role, channels, groups and lifetime of an invitation. Times in UNIX seconds."""

    role: int
    expires: float | None
    channel_ids: tuple[ChannelId, ...]
    group_ids: tuple[int, ...]
    include_defaults: bool
    notify_inviter: bool = False
    welcome_text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InviteRow:
    """A row of `invite`."""

    id: int
    is_multiuse: bool
    digest: bytes
    salt: bytes
    email: str | None
    inviter_id: UserId
    created: float
    terms: Terms
    revoked: float | None
    used: float | None

    def is_open(self, now: float) -> bool:
        """Whether the invitation can be accepted, as far as this row tells."""
        expires = self.terms.expires
        return self.revoked is None and self.used is None and (expires is None or now < expires)


_COLUMNS: Final = (
    "id, is_multiuse, digest, salt, email, inviter_id, created, expires, role, channel_ids,"
    " group_ids, include_defaults, notify_inviter, welcome_text, revoked, used"
)


def _invite(row: Row) -> InviteRow:
    (number, multiuse, digest, salt, email, inviter, created, expires, role, *rest) = row
    channels, groups, defaults, notify, welcome, revoked, used = rest
    return InviteRow(
        id=number,
        is_multiuse=bool(multiuse),
        digest=digest,
        salt=salt,
        email=email,
        inviter_id=inviter,
        created=created,
        terms=Terms(
            role=role,
            expires=expires,
            channel_ids=tuple(orjson.loads(channels)),
            group_ids=tuple(orjson.loads(groups)),
            include_defaults=bool(defaults),
            notify_inviter=bool(notify),
            welcome_text=welcome,
        ),
        revoked=revoked,
        used=used,
    )


def by_id(db: Db, invite_id: int) -> InviteRow | None:
    """Return an invitation, open or not."""
    row = db.row(f"SELECT {_COLUMNS} FROM invite WHERE id = ?", invite_id)
    return _invite(row) if row else None


def by_digest(db: Db, digest: bytes) -> InviteRow | None:
    """Return an invitation by the digest of its token."""
    row = db.row(f"SELECT {_COLUMNS} FROM invite WHERE digest = ?", digest)
    return _invite(row) if row else None


def open_ones(db: Db, now: float, inviter_id: UserId | None = None) -> list[InviteRow]:
    """Return open invitations of active inviters: of one, or of all."""
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM invite WHERE revoked IS NULL AND used IS NULL"
        " AND (expires IS NULL OR expires > ?) AND (? IS NULL OR inviter_id = ?)"
        " AND inviter_id IN (SELECT id FROM user WHERE is_active) ORDER BY id",
        now,
        inviter_id,
        inviter_id,
    )
    return [_invite(row) for row in rows]


def insert(
    db: Db,
    *,
    digest: bytes,
    salt: bytes,
    email: str | None,
    is_multiuse: bool,
    inviter_id: UserId,
    now: float,
    terms: Terms,
) -> int:
    """Insert an invitation; returns its ID."""
    return insert_row(
        db,
        "invite",
        is_multiuse=is_multiuse,
        digest=digest,
        salt=salt,
        email=email,
        inviter_id=inviter_id,
        created=now,
        expires=terms.expires,
        role=terms.role,
        channel_ids=orjson.dumps(terms.channel_ids).decode(),
        group_ids=orjson.dumps(terms.group_ids).decode(),
        include_defaults=terms.include_defaults,
        notify_inviter=terms.notify_inviter,
        welcome_text=terms.welcome_text,
    )


def set_revoked(db: Db, invite_id: int, at: float) -> None:
    """Mark the invitation as revoked."""
    db.run("UPDATE invite SET revoked = ? WHERE id = ?", at, invite_id)


def set_used(db: Db, invite_id: int, at: float) -> None:
    """Mark a single-use invitation as accepted."""
    db.run("UPDATE invite SET used = ? WHERE id = ?", at, invite_id)


def renew(db: Db, invite_id: int, created: float, expires: float | None) -> None:
    """Restart the invitation's lifetime."""
    db.run("UPDATE invite SET created = ?, expires = ? WHERE id = ?", created, expires, invite_id)
