"""Permissions to invite users, with role, channels and groups, and to accept invitations. Reads only."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from server_lite.access.accounts import check_address
from server_lite.access.channels import access_channel_by_id
from server_lite.access.domains import check_allowed
from server_lite.access.subscriptions import may_add_others, may_join
from server_lite.access.user_group_changes import access_group_to_fill
from server_lite.access.user_groups import is_in_group_setting
from server_lite.errors import ApiError, Insufficient
from server_lite.ids import ChannelId, UserId
from server_lite.store import invites, keys, realm, users
from server_lite.store.connection import Db
from server_lite.store.invites import InviteRow
from server_lite.store.users import Role, UserRow

T = TypeVar("T", bound=int)
MAX_OPEN: Final = 100
"""Limit of open single-person invitations per inviter."""
MAX_MINUTES: Final = 100 * 365 * 24 * 60
MAX_WELCOME: Final = 8000
SOMEBODY_ELSE: Final = UserId(0)
"""Stands for the future account, which differs from all existing ones."""

INSUFFICIENT: Final = "Insufficient permission"
NO_SUCH: Final = "No such invitation"


# Creating invitations


def check_may_invite(db: Db, user: UserRow, *, by_link: bool) -> None:
    """Raise unless the user may invite people, or create links that many can use."""
    name = "create_multiuse_invite_group" if by_link else "can_invite_users_group"
    if user.is_guest or not is_in_group_setting(db, user, realm.permission(db, name)):
        raise ApiError(INSUFFICIENT)


def check_role(user: UserRow, role: int) -> Role:
    """Return the role if the inviter may grant it: users cannot invite with a higher role than their own."""
    if role not in list(Role):
        raise ApiError("Invalid invite_as")
    if role == Role.OWNER and not user.is_owner:
        raise ApiError("Must be an organization owner")
    if role < Role.MEMBER and not user.is_admin:
        raise ApiError("Must be an organization administrator")
    return Role(role)


def check_minutes(minutes: int | None) -> float | None:
    """Return the lifetime in seconds; None is unlimited."""
    if minutes is None:
        return None
    if not 0 < minutes <= MAX_MINUTES:
        raise ApiError("Invalid invite_expires_in_minutes")
    return minutes * 60.0


def check_channels(
    db: Db, user: UserRow, channel_ids: Sequence[ChannelId]
) -> tuple[ChannelId, ...]:
    """Return the invitation's channels; the inviter must be allowed to subscribe others to them."""
    rows = []
    for channel_id in dict.fromkeys(channel_ids):
        try:
            channel = access_channel_by_id(db, user, channel_id, active=True)
        except ApiError as error:
            raise ApiError(f"Invalid channel ID {channel_id}. No invites were sent.") from error
        rows.append(channel)
    for channel in rows:
        if not may_join(db, user, channel):
            raise ApiError(f"Invalid channel ID {channel.id}. No invites were sent.")
        if not may_add_others(db, user, channel):
            raise ApiError("You do not have permission to subscribe other users to channels.")
    return tuple(channel.id for channel in rows)


def check_groups(db: Db, user: UserRow, group_ids: Sequence[int]) -> tuple[int, ...]:
    """Return the invitation's user groups; the inviter must be allowed to add members to them."""
    for group_id in group_ids:
        access_group_to_fill(db, user, group_id, add=[SOMEBODY_ELSE])
    return tuple(dict.fromkeys(group_ids))


def check_welcome(user: UserRow, text: str | None) -> str | None:
    """Return the welcome message's text; only administrators may set it."""
    if text is not None and not user.is_admin:
        raise ApiError(INSUFFICIENT)
    return text or None


def sort_addresses(db: Db, text: str) -> tuple[list[str], list[list[object]], list[list[object]]]:
    """Sort addresses, separated by commas or lines, into (to invite, malformed, in use).

    Each of the latter two is `[address, reason, whether their account is deactivated]`.
    """
    addresses = dict.fromkeys(part.strip() for part in text.replace(",", "\n").splitlines())
    addresses.pop("", None)
    if not addresses:
        raise ApiError("You must specify at least one email address.")
    if len(addresses) > MAX_OPEN:
        raise ApiError(f"invitee_emails is too long (limit: {MAX_OPEN} addresses)")
    good: list[str] = []
    malformed: list[list[object]] = []
    in_use: list[list[object]] = []
    for email in addresses:
        user = users.by_email(db, email)
        if user is not None:
            in_use.append([email, "Already has an account.", not user.is_active])
            continue
        try:
            check_allowed(db, email)
            good.append(check_address(db, email))
        except ApiError as error:
            malformed.append([email, error.msg, False])
    return good, malformed, in_use


def check_room(db: Db, user: UserRow, more: int, now: float) -> None:
    """Raise if the inviter would exceed the limit of open invitations."""
    mine = [invite for invite in invites.open_ones(db, now, user.id) if not invite.is_multiuse]
    if len(mine) + more > MAX_OPEN:
        raise ApiError(f"You can have at most {MAX_OPEN} open invitations.")


# Managing invitations


def visible_invites(db: Db, user: UserRow, now: float) -> list[InviteRow]:
    """Return open invitations: the user's own, or all for administrators."""
    return invites.open_ones(db, now, None if user.is_admin else user.id)


def access_invite(db: Db, user: UserRow, invite_id: int, *, is_multiuse: bool) -> InviteRow:
    """Return an invitation of this kind that the user may revoke."""
    invite = invites.by_id(db, invite_id)
    if invite is None or invite.is_multiuse != is_multiuse:
        raise ApiError(NO_SUCH)
    if invite.inviter_id != user.id:
        if not user.is_admin:
            raise Insufficient("Must be an organization administrator")
        if invite.terms.role == Role.OWNER and not user.is_owner:
            raise Insufficient("Must be an organization owner")
    if is_multiuse and invite.revoked is not None:
        raise ApiError("Invitation has already been revoked")
    if not is_multiuse and (invite.revoked is not None or invite.used is not None):
        raise ApiError(NO_SUCH)
    return invite


def may_see_link(user: UserRow, invite: InviteRow) -> bool:
    """Whether the user may see the link, which grants its role to anyone who has it."""
    return invite.inviter_id == user.id or user.role <= invite.terms.role


# Accepting invitations


def access_open_invite(db: Db, token: str, now: float) -> InviteRow:
    """Return the invitation of a link while it can be accepted; one error for all other cases.

    It depends on its inviter: invalid once the inviter is deactivated or may not grant the role or invite.
    """
    invite = invites.by_digest(db, keys.digest(token))
    if invite is not None and invite.is_open(now):
        inviter = users.by_id(db, invite.inviter_id)
        if inviter is not None and inviter.is_active and _may_still(db, inviter, invite):
            return invite
    raise ApiError("This invitation is not valid: it was used, revoked, or is too old.")


def _may_still(db: Db, inviter: UserRow, invite: InviteRow) -> bool:
    try:
        check_may_invite(db, inviter, by_link=invite.is_multiuse)
        check_role(inviter, invite.terms.role)
    except ApiError:
        return False
    return True


def channels_now(db: Db, invite: InviteRow) -> tuple[ChannelId, ...]:
    """Return the invitation's channels to which its inviter may still subscribe others."""
    inviter = users.by_id(db, invite.inviter_id)
    assert inviter is not None
    return tuple(
        one for one in invite.terms.channel_ids if _passes(check_channels, db, inviter, one)
    )


def groups_now(db: Db, invite: InviteRow) -> tuple[int, ...]:
    """Return the invitation's user groups to which its inviter may still add members."""
    inviter = users.by_id(db, invite.inviter_id)
    assert inviter is not None
    return tuple(one for one in invite.terms.group_ids if _passes(check_groups, db, inviter, one))


def _passes(
    check: Callable[[Db, UserRow, Sequence[T]], tuple[int, ...]],
    db: Db,
    inviter: UserRow,
    one: T,
) -> bool:
    try:
        check(db, inviter, [one])
    except ApiError:
        return False
    return True
