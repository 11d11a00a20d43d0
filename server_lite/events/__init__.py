"""Typed events: what happened, and how each client is to be told. No I/O, no SQL, no HTTP.

Every module is imported here, so that a log written by an earlier run can be read.
"""

from server_lite.events import bots as bots
from server_lite.events import calls as calls
from server_lite.events import channel_folders as channel_folders
from server_lite.events import channels as channels
from server_lite.events import custom_emoji as custom_emoji
from server_lite.events import domains as domains
from server_lite.events import drafts as drafts
from server_lite.events import flags as flags
from server_lite.events import invites as invites
from server_lite.events import linkifiers as linkifiers
from server_lite.events import messages as messages
from server_lite.events import navigation_views as navigation_views
from server_lite.events import personal as personal
from server_lite.events import playgrounds as playgrounds
from server_lite.events import presence as presence
from server_lite.events import profile_fields as profile_fields
from server_lite.events import reactions as reactions
from server_lite.events import realm as realm
from server_lite.events import saved_snippets as saved_snippets
from server_lite.events import scheduled_messages as scheduled_messages
from server_lite.events import server as server
from server_lite.events import statuses as statuses
from server_lite.events import submessages as submessages
from server_lite.events import subscriptions as subscriptions
from server_lite.events import typing as typing
from server_lite.events import uploads as uploads
from server_lite.events import user_groups as user_groups
from server_lite.events import user_topics as user_topics
from server_lite.events import users as users
