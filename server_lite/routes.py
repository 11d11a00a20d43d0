"""The table: the whole API on one page. Paths are below /api/v1; what a verb takes, its function says."""

from typing import Final

from server_lite import pages
from server_lite.endpoints import credentials, messages, queues, server
from server_lite.routing import Table, route

TABLE: Final = Table(
    (
        # The server, and signing in
        route("server_settings", GET=server.settings_of),
        route("fetch_api_key", POST=credentials.fetch_api_key),
        route("dev_fetch_api_key", POST=credentials.dev_fetch_api_key),
        # Event queues
        route("register", POST=queues.register),
        route("events", GET=queues.fetch, DELETE=queues.delete),
        # Messages
        route("messages", POST=messages.send),
        # Drafts and other things begun
        # Channels, subscriptions, topics
        # People
        # User groups
        # Files
        # The organisation
    )
)

PAGES: Final = pages.serve
