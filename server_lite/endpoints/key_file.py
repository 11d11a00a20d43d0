"""The key file, as endpoints read it. Shows nothing of it to anybody."""

from server_lite.context import Context
from server_lite.errors import Unavailable
from server_lite.store import key_file


def secret_of(context: Context) -> bytes:
    """What keys and links are made from; raises Unavailable if the file cannot be read."""
    try:
        return key_file.secret(key_file.path_beside(context.settings.db))
    except OSError as error:
        raise Unavailable(
            "The server's key file cannot be read; its owner can repair it."
        ) from error
