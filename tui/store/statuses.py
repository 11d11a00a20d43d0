"""People's statuses. No I/O, no clock."""

from collections.abc import Mapping

from tui.api.model import UserId, UserStatus

_FIELDS = ("status_text", "emoji_name", "emoji_code", "reaction_type")


class Statuses:
    """Statuses by user; people without one are not listed, and no field is None."""

    def __init__(self, statuses: Mapping[UserId, UserStatus]) -> None:
        self.by_user: dict[UserId, UserStatus] = {}
        for user_id, status in statuses.items():
            self.change(user_id, status)

    def change(self, user_id: UserId, change: UserStatus) -> None:
        """Change parts of a status: None keeps a field, "" clears it."""
        status = self.by_user.pop(user_id, None)
        fields = {name: _value_of(getattr(change, name), status, name) for name in _FIELDS}
        if not fields["emoji_name"]:  # servers name a kind of emoji also where there is none
            fields |= {"emoji_code": "", "reaction_type": ""}
        away = change.away if change.away is not None else (status.away if status else None)
        away = away or None  # snapshots leave the field out for people who are not away
        if away or any(fields.values()):
            self.by_user[user_id] = UserStatus(away=away, **fields)  # type: ignore[arg-type]  # each field's own values

    def forget(self, user_id: UserId) -> None:
        """Remove the status of a user who is not visible any more."""
        self.by_user.pop(user_id, None)


def _value_of(value: str | None, status: UserStatus | None, name: str) -> str:
    if value is not None:
        return value
    return (getattr(status, name) or "") if status else ""
