"""Typed events: what changed, and how it is sent to each client. No I/O, no SQL, no HTTP.

Grouped as `tui.api.events` groups them. Every module is imported here, so that a log written by an
earlier run can be read.
"""

from server_lite.events import channels as channels
from server_lite.events import messages as messages
from server_lite.events import organization as organization
from server_lite.events import personal as personal
from server_lite.events import server as server
from server_lite.events import users as users
