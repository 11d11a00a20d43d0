"""Not hearing someone any more, and hearing them again. Raises ApiError."""

from tui.api.model import UserId
from tui.api.routes import muted_users as routes
from tui.sync.machine import Sync


async def set_muted(sync: Sync, user_id: UserId, *, muted: bool) -> None:
    """Mute someone, or take that back."""
    await (routes.mute if muted else routes.unmute)(sync.connection, user_id=user_id)
