"""The organization: its settings, emoji, linkifiers, profile fields. No I/O, no clock."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tui.api.model import EmojiId, UserId
from tui.api.organization import CustomEmoji, RealmDomain
from tui.api.snapshot import InitialSnapshot

if TYPE_CHECKING:
    # The classes of events are made with the first event.
    from tui.api.events import CustomEmojiChange


class Realm:
    """Properties and short lists of the organization."""

    def __init__(self, snapshot: InitialSnapshot) -> None:
        self.settings = snapshot.realm
        self.limits = snapshot.limits
        self.feature_level = snapshot.feature_level
        self.version = snapshot.version
        self.idempotency_keys = snapshot.idempotency_keys
        self.generation = snapshot.organization_generation
        """Changes after the server was restored from a backup; empty where the server has none."""
        self.emoji: dict[EmojiId, CustomEmoji] = dict(snapshot.emoji)
        self.emoji_data_url = snapshot.emoji_data_url
        self.jitsi_server_url = snapshot.jitsi_server_url
        self.video_providers = snapshot.video_providers
        self.linkifiers = snapshot.linkifiers
        self.playgrounds = snapshot.playgrounds
        self.domains: dict[str, RealmDomain] = {each.domain: each for each in snapshot.domains}
        self.profile_fields = snapshot.custom_profile_fields
        self.default_channel_ids = snapshot.default_channel_ids
        self.bots: set[UserId] = {bot.user_id for bot in snapshot.bots}
        """Bots that the user may administer; their settings are fetched when shown."""
        self.embedded_bots = snapshot.embedded_bots
        self.incoming_webhooks = snapshot.incoming_webhooks
        self.new_user_settings = snapshot.new_user_settings
        """The default settings of new users; None on an older server."""

    def change_emoji(self, emoji_id: EmojiId, change: CustomEmojiChange) -> None:
        """Change a custom emoji."""
        emoji = self.emoji.get(emoji_id)
        if emoji is not None and change.deactivated is not None:
            self.emoji[emoji_id] = replace(emoji, deactivated=change.deactivated)

    def restarted(self, feature_level: int, version: str) -> bool:
        """Note a restart of the server; return True if its version changed."""
        before = self.feature_level, self.version
        self.feature_level = feature_level or self.feature_level
        self.version = version or self.version
        return before != (self.feature_level, self.version)
