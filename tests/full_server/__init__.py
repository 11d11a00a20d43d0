"""A full server of an older or newer feature level, as far as clients can tell. For tests."""

from tests.full_server.server import FullServer, full_server

__all__ = ["FullServer", "full_server"]
