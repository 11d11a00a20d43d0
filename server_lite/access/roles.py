"""Role checks: refusals that depend on the role alone. Reads nothing."""

from server_lite.errors import Insufficient, NotAllowed
from server_lite.store.users import UserRow


def check_admin(user: UserRow) -> None:
    """Raise unless the user is an administrator or owner."""
    if not user.is_admin:
        raise Insufficient("Must be an organization administrator")


def check_owner(user: UserRow) -> None:
    """Raise unless the user is an owner."""
    if not user.is_owner:
        raise Insufficient("Must be an organization owner")


def check_not_guest(user: UserRow) -> None:
    """Raise for guests."""
    if user.is_guest:
        raise NotAllowed("Not allowed for guest users")
