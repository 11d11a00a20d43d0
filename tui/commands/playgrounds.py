"""Sites on which code can be tried: named, and no longer. Raises ApiError; no Textual."""

from tui.api.model import PlaygroundId
from tui.api.routes import playgrounds as routes
from tui.sync.machine import Sync


async def create(sync: Sync, *, name: str, language: str, url_template: str) -> None:
    """A site for code of a language; the template has one place, `{code}`."""
    await routes.create(
        sync.connection, name=name, pygments_language=language, url_template=url_template
    )


async def delete(sync: Sync, playground_id: PlaygroundId) -> None:
    """Offer it no longer."""
    await routes.delete(sync.connection, playground_id=playground_id)
