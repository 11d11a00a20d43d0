"""What the server answers outside the API: files and pictures that messages link to. No API here."""

from server_lite.context import Context
from server_lite.errors import NotFound
from server_lite.request import Request, Send


async def serve(context: Context, request: Request, send: Send) -> None:
    """Answer a request for a path outside the API; raises NotFound."""
    raise NotFound("There is nothing here.")
