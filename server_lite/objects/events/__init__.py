"""Every event that GET /events answers, as types: what the description of the API says of them."""

from server_lite.objects.events.channels import ChannelEvents
from server_lite.objects.events.messages import MessageEvents
from server_lite.objects.events.organization import OrganizationEvents
from server_lite.objects.events.personal import PersonalEvents
from server_lite.objects.events.users import UserEvents

EventObject = MessageEvents | ChannelEvents | UserEvents | PersonalEvents | OrganizationEvents
"""Which one it is, `type` and `op` say."""
