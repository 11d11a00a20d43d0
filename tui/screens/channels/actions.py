"""What those can do who administer a channel, and what all can look at: offered, and done. Draws nothing itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.api.features import ARCHIVED_CHANNELS
from tui.api.model import Channel
from tui.screens.channels import forms
from tui.screens.channels.members import show_members
from tui.screens.channels.topics import show_topics
from tui.screens.dialogs.actions import Act
from tui.store import Store
from tui.view import channels
from tui.view.permissions import is_administrator

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen


def administering(store: Store, channel: Channel) -> list[Act]:
    """What those can do who administer a channel."""
    if not channels.may_administer(store, channel):
        return []
    if channel.is_archived:
        if not ARCHIVED_CHANNELS.is_in(store.realm.feature_level):
            return []
        return [Act(key="a", label="restore", act="archive")]
    found = [
        Act(key="e", label="edit", act="edit"),
        Act(key="w", label="permissions", act="permissions"),
    ]
    if is_administrator(store) and not channel.invite_only:
        default = channel.channel_id in store.realm.default_channel_ids
        label = "remove default" if default else "make default"
        found.append(Act(key="f", label=label, act="default"))
    return [
        *found,
        Act(key="a", label="archive", act="archive"),
        Act(key="c", label="email address", act="address"),
    ]


async def administer(screen: AccountScreen, act: str, channel: Channel) -> bool:
    """Do one of the things that are about a single channel; True if that went to a topic of it."""
    match act:
        case "members":
            await show_members(screen, channel.channel_id)
        case "topics":
            return await show_topics(screen, channel.channel_id)
        case "edit":
            await forms.edit(screen, channel)
        case "permissions":
            await forms.edit_permissions(screen, channel)
        case "default":
            await forms.toggle_default(screen, channel)
        case "archive":
            await forms.archive(screen, channel)
        case "address":
            await forms.show_address(screen, channel)
    return False
