"""Actions on a channel: for its administrators, and for everybody. Draws nothing itself."""

from __future__ import annotations

from functools import partial

from tui.api.features import ARCHIVED_CHANNELS
from tui.api.model import Channel
from tui.screens.channels import forms
from tui.screens.channels.members import show_members
from tui.screens.channels.topics import show_topics
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.view import channels
from tui.view.permissions import is_administrator


def looking_actions(context: AccountContext, channel: Channel) -> list[DialogAction]:
    """Return the actions that are open to everybody: members and topics."""
    members = partial(show_members, context, channel.channel_id)
    topics = partial(show_topics, context, channel.channel_id)
    return [
        DialogAction(key="m", label="members", run=members),
        DialogAction(key="o", label="topics", run=topics),
    ]


def administering_actions(context: AccountContext, channel: Channel) -> list[DialogAction]:
    """Return the actions of the channel's administrators; empty for others."""
    store = context.session.store
    if not channels.may_administer(store, channel):
        return []
    archive = partial(forms.archive, context, channel)
    if channel.is_archived:
        if not ARCHIVED_CHANNELS.is_in(store.realm.feature_level):
            return []
        return [DialogAction(key="a", label="restore", run=archive)]
    permissions = partial(forms.edit_permissions, context, channel)
    actions = [
        DialogAction(key="e", label="edit", run=partial(forms.edit, context, channel)),
        DialogAction(key="w", label="permissions", run=permissions),
    ]
    if is_administrator(store) and not channel.invite_only:
        default = channel.channel_id in store.realm.default_channel_ids
        label = "remove default" if default else "make default"
        toggle = partial(forms.toggle_default, context, channel)
        actions.append(DialogAction(key="f", label=label, run=toggle))
    address = partial(forms.show_address, context, channel)
    return [
        *actions,
        DialogAction(key="a", label="archive", run=archive),
        DialogAction(key="c", label="email address", run=address),
    ]
