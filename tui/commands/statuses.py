"""What the person says about themselves. Raises ApiError."""

from tui.api.model import ReactionType
from tui.api.routes import statuses as routes
from tui.sync.machine import Sync


async def set_status(
    sync: Sync,
    *,
    text: str,
    emoji_name: str = "",
    emoji_code: str = "",
    reaction_type: ReactionType | None = None,
) -> None:
    """Say it; both empty clears it."""
    await routes.update(
        sync.connection,
        status_text=text,
        emoji_name=emoji_name,
        emoji_code=emoji_code if emoji_name else None,
        reaction_type=reaction_type if emoji_name else None,
    )
