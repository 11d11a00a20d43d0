"""All events that GET /events returns, as types for the API description."""

from server_lite.objects.events.channels import ChannelEvents
from server_lite.objects.events.messages import MessageEvents
from server_lite.objects.events.organization import OrganizationEvents
from server_lite.objects.events.personal import PersonalEvents
from server_lite.objects.events.users import UserEvents

EventObject = MessageEvents | ChannelEvents | UserEvents | PersonalEvents | OrganizationEvents
"""An event, distinguished by `type` and `op`."""
