"""Email addresses of channels: created for one user, parsed and verified. Reads only.

    tea-time.7.12.3.k3v0…@chat.example.com         channel 7, created by user 12, posted by user 3
    tea-time.7.12.3.k3v0…+earl grey@…              the same, in this topic

The last part is derived from the key file, so nobody can forge an address for another channel or user.
Mail servers do not preserve the case of letters.
"""

import hmac
import re
from typing import Final

from server_lite.access.channels import access_channel_for_posting
from server_lite.dataclass import dataclass
from server_lite.errors import ApiError
from server_lite.ids import ChannelId, UserId
from server_lite.store import secret_key, users
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.users import UserRow

_NAME_LENGTH: Final = 20
"""Characters of the channel's name: the part before the @ is limited to 64."""
_TOKEN_LENGTH: Final = 20
_NUMBERS: Final = re.compile(
    r"([0-9]{1,15})\.([0-9]{1,15})\.([0-9]{1,15})\.([a-z0-9]{20})", re.ASCII
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelEmail:
    """The contents of a channel's email address."""

    channel_id: ChannelId
    creator_id: UserId
    """The user who created the address, and who must be allowed to post."""
    sender_id: UserId
    topic: str
    """Empty if the address contains no topic."""


def address_of(
    secret: bytes, channel: ChannelRow, creator: UserRow, sender_id: UserId, domain: str
) -> str:
    """Return the address that receives mail for the channel."""
    name = re.sub(r"[^a-z0-9]+", "-", channel.name.lower(), flags=re.ASCII)[:_NAME_LENGTH]
    numbers = f"{channel.id}.{creator.id}.{sender_id}"
    return f"{name.strip('-') or 'channel'}.{numbers}.{_token(secret, numbers)}@{domain}"


def read_address(secret: bytes, address: str) -> ChannelEmail | None:
    """Return the contents of the address; None if this server did not create it."""
    local = address.rpartition("@")[0].strip().lower()
    named, _, topic = local.partition("+")
    parts = named.rsplit(".", 4)
    match = _NUMBERS.fullmatch(".".join(parts[1:])) if len(parts) == 5 else None
    if match is None:
        return None
    numbers = named.rpartition(".")[0].partition(".")[2]
    if not hmac.compare_digest(match[4], _token(secret, numbers)):
        return None
    return ChannelEmail(
        channel_id=ChannelId(int(match[1])),
        creator_id=UserId(int(match[2])),
        sender_id=UserId(int(match[3])),
        topic=topic,
    )


def _token(secret: bytes, numbers: str) -> str:
    return secret_key.derived(secret, b"", f"mail to {numbers}").lower()[:_TOKEN_LENGTH]


def access_channel_of(db: Db, email: ChannelEmail) -> tuple[ChannelRow, UserRow, UserRow]:
    """Return (channel, creator of the address, sender); raises ApiError if the creator may not post."""
    creator, sender = users.by_id(db, email.creator_id), users.by_id(db, email.sender_id)
    if creator is None or not creator.is_active or sender is None or not sender.is_active:
        raise ApiError("This email address belongs to a deactivated account.")
    return access_channel_for_posting(db, creator, email.channel_id), creator, sender
