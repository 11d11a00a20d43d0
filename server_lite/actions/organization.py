"""Sets up an organization: owner, welcome channel, tour. Checks no permissions; runs once per database."""

from typing import Final

from server_lite.access.accounts import check_address, check_name
from server_lite.access.channel_settings import checked_name
from server_lite.access.recipients import ChannelRecipient
from server_lite.actions.channels import NewChannel, create_channel
from server_lite.actions.messages import send_message
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.users import create_user
from server_lite.actions.welcome_messages import CHANNEL, DESCRIPTION, TOUR
from server_lite.dataclass import dataclass
from server_lite.errors import ApiError
from server_lite.store import realm, settings, users
from server_lite.store.channels import ChannelRow
from server_lite.store.database import Tx
from server_lite.store.users import NOTIFICATION_BOT, Role, UserRow

CLIENT: Final = "Internal"
"""Client name of the server's own messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewOrganization:
    """The values of a new organization; the password is an argon2id hash, or None for API keys only."""

    name: str
    owner_email: str
    owner_name: str
    password: str | None


def set_up_organization(tx: Tx, new: NewOrganization) -> UserRow:
    """Name the organization, create its owner, and post a tour in the first channel."""
    settings.store(tx, "name", check_organization_name(new.name))
    owner = create_user(
        tx,
        email=check_address(tx, new.owner_email),
        full_name=check_name(new.owner_name),
        role=Role.OWNER,
        password=new.password,
    )
    channel = create_channel(
        tx,
        owner,
        name=checked_name(CHANNEL),
        description=DESCRIPTION,
        options=NewChannel(is_default=True),
    )
    settings.store(tx, "new_stream_announcements_stream_id", channel.id)
    subscribe(tx, [channel], [owner])
    _give_tour(tx, channel)
    return owner


def _give_tour(tx: Tx, channel: ChannelRow) -> None:
    bot = users.by_id(tx, NOTIFICATION_BOT)
    assert bot is not None
    for topic, texts in TOUR:
        for text in texts:
            send_message(tx, bot, ChannelRecipient(channel, topic), text, client=CLIENT)


def check_organization_name(name: str) -> str:
    """Return the organization's name, trimmed; raises ApiError if it is invalid."""
    name = name.strip()
    if not name:
        raise ApiError("An organization needs a name.")
    if not realm.SETTINGS["name"].accepts(name):
        raise ApiError(f"An organization's name has at most {realm.MAX_NAME} characters.")
    return name
