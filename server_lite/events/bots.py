"""Events: bots come, change, and change hands. No I/O.

Only those who look after a bot are told; its account is told to all by `realm_user`.
"""

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload
from server_lite.ids import UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class BotAdded(Event[None]):
    """There is a bot to look after, as a Bot object."""

    type = "realm_bot"
    op = "add"
    bot: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(bot=self.bot)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotUpdated(Event[None]):
    """What changed of a bot, beside its `user_id`."""

    type = "realm_bot"
    op = "update"
    bot: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(bot=self.bot)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotDeleted(Event[None]):
    """These readers look after the bot no longer."""

    type = "realm_bot"
    op = "delete"
    user_id: UserId

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(bot={"user_id": self.user_id})
