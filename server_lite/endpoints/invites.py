"""Invitations: list, create, revoke, resend. Thin.

Nothing is mailed: the inviter passes on the link, which answers and lists contain.
"""

from typing import Annotated

from typing_extensions import TypedDict

from server_lite.access import invites as access
from server_lite.access.users import check_person
from server_lite.actions import invites as actions
from server_lite.api.answers import Done
from server_lite.api.decoding import MaxLength
from server_lite.api.params import ParameterGroup, RequestInfo
from server_lite.context import Context
from server_lite.dataclass import dataclass
from server_lite.errors import ApiError
from server_lite.ids import ChannelId
from server_lite.objects.organization import InviteObject, invite_object
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.invites import InviteRow, Terms
from server_lite.store.users import Role, UserRow

TEN_DAYS = 10 * 24 * 60
Welcome = Annotated[str | None, MaxLength(access.MAX_WELCOME)]


class Invites(TypedDict):
    """Open invitations."""

    invites: list[InviteObject]


class Invited(TypedDict):
    """Invitation link by email address; null if the server's key file was replaced since."""

    invite_links: dict[str, str | None]


class InviteLink(TypedDict):
    """The invitation link; null if the user may not see it, or the key file was replaced since."""

    invite_link: str | None


class InvitationFailed(ApiError):
    """Raised when some or all addresses were not invited."""

    code = "INVITATION_FAILED"

    def __init__(self, msg: str, errors: list[list[object]], *, sent: bool) -> None:
        super().__init__(
            msg,
            errors=errors,
            sent_invitations=sent,
            license_limit_reached=False,
            daily_limit_reached=False,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class InviteOptions:
    """Role, groups, default channels and lifetime of an invitation."""

    invite_expires_in_minutes: int | None = TEN_DAYS
    invite_as: int = Role.MEMBER
    group_ids: list[int] | None = None
    include_realm_default_subscriptions: bool = False
    welcome_message_custom_text: Welcome = None

    def checked(
        self, tx: Tx, user: UserRow, channel_ids: list[ChannelId], *, notify: bool
    ) -> Terms:
        """Return the options as stored; raises ApiError for options the inviter may not choose."""
        seconds = access.check_minutes(self.invite_expires_in_minutes)
        return Terms(
            role=access.check_role(user, self.invite_as),
            expires=None if seconds is None else tx.now + seconds,
            channel_ids=access.check_channels(tx, user, channel_ids),
            group_ids=access.check_groups(tx, user, self.group_ids or []),
            include_defaults=self.include_realm_default_subscriptions,
            notify_inviter=notify,
            welcome_text=access.check_welcome(user, self.welcome_message_custom_text),
        )


async def listing(context: Context, user: UserRow, *, request: RequestInfo) -> Invites:
    """Get open invitations: the user's own, or all for administrators."""
    check_person(user)
    secret = context.file_secret()
    now = context.database.clock()

    def read(db: Db) -> list[InviteObject]:
        rows = access.visible_invites(db, user, now)
        return [_shown(user, row, secret, request) for row in rows]

    return {"invites": await context.database.read_long(read, asker=user.id)}


def _shown(user: UserRow, row: InviteRow, secret: bytes, request: RequestInfo) -> InviteObject:
    seen = access.may_see_link(user, row)
    return invite_object(row, _link(row, secret, request) if seen else None)


def _link(row: InviteRow, secret: bytes, request: RequestInfo) -> str | None:
    token = actions.token_of(row, secret)
    return None if token is None else f"{request.base_url}/join/{token}"


async def invite(
    context: Context,
    user: UserRow,
    *,
    invitee_emails: Annotated[str, MaxLength(30_000)],
    stream_ids: list[ChannelId],
    notify_referrer_on_join: bool = True,
    options: Annotated[InviteOptions, ParameterGroup()],
    request: RequestInfo,
) -> Invited:
    """Create an invitation for each address. The answer contains their links: nothing is mailed."""
    check_person(user)
    secret = context.file_secret()

    def run(tx: Tx) -> tuple[list[InviteRow], InvitationFailed | None]:
        access.check_may_invite(tx, user, by_link=False)
        terms = options.checked(tx, user, stream_ids, notify=notify_referrer_on_join)
        good, malformed, in_use = access.sort_addresses(tx, invitee_emails)
        if malformed:
            raise InvitationFailed(
                "Some emails did not validate, so we didn't send any invitations.",
                malformed,
                sent=False,
            )
        if not good:
            raise InvitationFailed("We weren't able to invite anyone.", in_use, sent=False)
        access.check_room(tx, user, len(good), tx.now)
        invitations = [
            actions.invite(tx, user, terms, secret, email=email, is_multiuse=False)
            for email in good
        ]
        return invitations, _partly(in_use)

    invitations, failed = await context.write(run)
    if failed is not None:
        raise failed
    links = {row.email: _link(row, secret, request) for row in invitations if row.email is not None}
    return {"invite_links": links}


def _partly(in_use: list[list[object]]) -> InvitationFailed | None:
    """Return the error for addresses in use; invitations for the other addresses stand."""
    if not in_use:
        return None
    return InvitationFailed(
        "Some of those addresses already have accounts here, so we didn't send them an"
        " invitation. We did send invitations to everyone else!",
        in_use,
        sent=True,
    )


async def create_link(
    context: Context,
    user: UserRow,
    *,
    stream_ids: list[ChannelId] | None = None,
    options: Annotated[InviteOptions, ParameterGroup()],
    request: RequestInfo,
) -> InviteLink:
    """Create an invitation link that many can use."""
    check_person(user)
    secret = context.file_secret()

    def run(tx: Tx) -> InviteRow:
        access.check_may_invite(tx, user, by_link=True)
        terms = options.checked(tx, user, stream_ids or [], notify=False)
        return actions.invite(tx, user, terms, secret, email=None, is_multiuse=True)

    return {"invite_link": _link(await context.write(run), secret, request)}


def revoke(tx: Tx, user: UserRow, invite_id: int) -> Done:
    """Revoke an invitation for one person."""
    actions.revoke(tx, access.access_invite(tx, user, invite_id, is_multiuse=False))
    return {}


def revoke_link(tx: Tx, user: UserRow, invite_id: int) -> Done:
    """Revoke an invitation link that many can use."""
    actions.revoke(tx, access.access_invite(tx, user, invite_id, is_multiuse=True))
    return {}


async def resend(
    context: Context, user: UserRow, invite_id: int, *, request: RequestInfo
) -> InviteLink:
    """Restart an invitation's lifetime; the answer contains its link, as nothing is mailed."""
    secret = context.file_secret()

    def run(tx: Tx) -> InviteRow:
        row = access.access_invite(tx, user, invite_id, is_multiuse=False)
        actions.renew(tx, row)
        return row

    row = await context.write(run)
    return {"invite_link": _link(row, secret, request) if access.may_see_link(user, row) else None}
