"""The files that the person uploaded: which there are, and removing one. Raises ApiError."""

from tui.api.model import AttachmentId
from tui.api.routes import uploads as routes
from tui.api.routes.uploads import Attachments
from tui.sync.machine import Sync


async def fetch(sync: Sync) -> Attachments:
    """All of one's own, and how much room the organization's take."""
    return await routes.list_attachments(sync.connection)


async def delete(sync: Sync, attachment_id: AttachmentId) -> None:
    """Remove one for good; messages that link to it keep a link that leads nowhere."""
    await routes.delete_attachment(sync.connection, attachment_id=attachment_id)
