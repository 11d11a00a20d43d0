"""All classes of events, and their union. Pure."""

from typing import TypeAlias

from tui.api.events.base import BaseEvent as BaseEvent
from tui.api.events.base import UnknownEvent as UnknownEvent
from tui.api.events.channels import *
from tui.api.events.channels import ChannelEvents
from tui.api.events.messages import *
from tui.api.events.messages import MessageEvents
from tui.api.events.organization import *
from tui.api.events.organization import OrganizationEvents
from tui.api.events.personal import *
from tui.api.events.personal import PersonalEvents
from tui.api.events.server import *
from tui.api.events.server import ServerEvents
from tui.api.events.users import *
from tui.api.events.users import UserEvents

Event: TypeAlias = (
    MessageEvents
    | ChannelEvents
    | UserEvents
    | PersonalEvents
    | OrganizationEvents
    | ServerEvents
    | UnknownEvent
)
"""Closed: `match` over it can end in `assert_never`."""
