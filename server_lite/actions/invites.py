"""Creates, revokes and accepts invitations. Checks no permissions: callers did."""

from server_lite.access.accounts import check_address, check_name, check_unique_name
from server_lite.access.domains import check_allowed
from server_lite.access.invites import access_open_invite, channels_now, groups_now
from server_lite.access.recipients import to_people
from server_lite.actions.messages import send_message
from server_lite.actions.newcomers import welcome
from server_lite.actions.organization import CLIENT
from server_lite.actions.user_groups import fill
from server_lite.actions.users import create_user
from server_lite.dataclass import dataclass
from server_lite.errors import ApiError
from server_lite.events.organization import InvitesChanged
from server_lite.ids import UserId
from server_lite.store import channels, invites, keys, realm, secret_key, user_groups, users
from server_lite.store.database import Tx
from server_lite.store.invites import InviteRow, Terms
from server_lite.store.users import NOTIFICATION_BOT, Role, UserRow


def invite(
    tx: Tx,
    inviter: UserRow,
    terms: Terms,
    secret: bytes,
    *,
    email: str | None,
    is_multiuse: bool,
) -> InviteRow:
    """Create an invitation for one person, perhaps bound to an email address, or for many.

    `secret` is the content of the key file: it allows the link to be shown again.
    """
    salt = secret_key.new_salt()
    invite_id = invites.insert(
        tx,
        digest=keys.digest(secret_key.derived(secret, salt, "invite")),
        salt=salt,
        email=email,
        is_multiuse=is_multiuse,
        inviter_id=inviter.id,
        now=tx.now,
        terms=terms,
    )
    _tell(tx, inviter.id)
    row = invites.by_id(tx, invite_id)
    assert row is not None
    return row


def token_of(invite: InviteRow, secret: bytes) -> str | None:
    """Return the token of the invitation's link; None if it was made with another key file."""
    token = secret_key.derived(secret, invite.salt, "invite")
    return token if keys.digest(token) == invite.digest else None


def revoke(tx: Tx, invite: InviteRow) -> None:
    """Revoke the invitation."""
    invites.set_revoked(tx, invite.id, tx.now)
    _tell(tx, invite.inviter_id)


def renew(tx: Tx, invite: InviteRow) -> None:
    """Extend the invitation by its original lifetime, starting now."""
    expires = invite.terms.expires
    if expires is not None:
        expires = tx.now + (expires - invite.created)
    invites.renew(tx, invite.id, tx.now, expires)
    _tell(tx, invite.inviter_id)


def _tell(tx: Tx, inviter_id: UserId) -> None:
    tx.emit(InvitesChanged(), to=users.administrators_and(tx, inviter_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class Newcomer:
    """The details of a new account that accepts an invitation; the password is an argon2id hash."""

    full_name: str
    email: str
    password: str


def accept(tx: Tx, token: str, who: Newcomer) -> UserRow:
    """Create an account by the token of an invitation link.

    The invitation is checked again in this transaction: of two uses of a single-use link, one fails.
    """
    open_invite = access_open_invite(tx, token, tx.now)
    check_invited(open_invite.email, who.email)
    check_allowed(tx, who.email)
    user = create_user(
        tx,
        email=check_address(tx, who.email),
        full_name=_free_name(tx, who.full_name),
        role=Role(open_invite.terms.role),
        password=who.password,
    )
    if not open_invite.is_multiuse:
        invites.set_used(tx, open_invite.id, tx.now)
    _settle(tx, user, open_invite)
    _greet(tx, user, open_invite)
    _tell(tx, open_invite.inviter_id)
    return user


def _free_name(tx: Tx, full_name: str) -> str:
    name = check_name(full_name)
    check_unique_name(tx, name)
    return name


def check_invited(invited: str | None, email: str) -> None:
    """Refuse an email address other than the one that was invited."""
    if invited is not None and invited.lower() != email.strip().lower():
        raise ApiError(f"This invitation is for {invited}.")


def _settle(tx: Tx, user: UserRow, invite: InviteRow) -> None:
    """Add the user to channels and groups, except deleted ones and those the inviter may not grant now."""
    rows = [row for row in channels.by_ids(tx, channels_now(tx, invite)) if not row.is_archived]
    welcome(tx, user, defaults=invite.terms.include_defaults, also=rows)
    for group_id in groups_now(tx, invite):
        group = user_groups.by_id(tx, group_id)
        if group is not None and not group.deactivated:
            fill(tx, group, add=[user.id], remove=[], add_groups=[], remove_groups=[])


def _greet(tx: Tx, user: UserRow, invite: InviteRow) -> None:
    bot = users.by_id(tx, NOTIFICATION_BOT)
    inviter = users.by_id(tx, invite.inviter_id)
    assert bot is not None
    if invite.terms.welcome_text is not None:
        send_message(tx, bot, to_people(tx, bot, [user]), invite.terms.welcome_text, client=CLIENT)
    if inviter is not None and invite.terms.notify_inviter:
        name = realm.setting(tx, "name")
        text = f"@_**{user.full_name}|{user.id}** accepted your invitation to join {name}."
        send_message(tx, bot, to_people(tx, bot, [inviter]), text, client=CLIENT)
