"""The forms of a channel: properties, permissions, archiving. Draws nothing itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui.api.model import Channel, ChannelFolderId
from tui.commands import channels as commands
from tui.content.sanitize import sanitize_line
from tui.screens.context import AccountContext
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.form import Answers, ChoiceField, Field, Form, TextField
from tui.screens.dialogs.question import Question
from tui.screens.fields.settings import changes, fields
from tui.screens.organization.settings_sections import edit_section
from tui.store import Store
from tui.view import channels


async def edit(context: AccountContext, channel: Channel) -> None:
    """Edit name, description, visibility, folder and policies; only changed fields are sent."""
    store, sync = context.session.store, context.session.sync

    async def submit(answers: Answers) -> None:
        news = changes(channels.POLICIES, channel, answers)
        news |= {each: answers.text(each) for each in {"name", "description"} & answers.changed}
        news |= {each: answers.choice(each) for each in {"privacy", "folder_id"} & answers.changed}
        if "message_retention_days" in news:
            news["retention_days"] = news.pop("message_retention_days")
        if news:
            await commands.update(sync, channel.channel_id, **news)

    form = Form(channels.name(store, channel), _fields(store, channel), submit=submit)
    if await context.ask(form):
        context.toast("Saved.")


def _fields(store: Store, channel: Channel) -> list[Field]:
    limits = store.realm.limits
    return [
        TextField(
            name="name",
            label="Name",
            value=channel.name,
            longest=limits.max_channel_name_length,
        ),
        TextField(
            name="description",
            label="Description",
            value=channel.description,
            longest=limits.max_channel_description_length,
            lines=2,
        ),
        privacy_field(store, channels.privacy(channel)),
        *folder_fields(store, channel.folder_id),
        *fields(store, channels.POLICIES, channel),
    ]


def privacy_field(store: Store, value: channels.Privacy) -> ChoiceField:
    """Return the field for the channel's visibility, with the values that the user may choose."""
    choices = [
        Choice(value=each, label=channels.PRIVACIES[each])
        for each in channels.privacies(store, value)
    ]
    return ChoiceField(name="privacy", label="Visibility", choices=choices, value=value)


def folder_fields(store: Store, value: ChannelFolderId | None) -> list[ChoiceField]:
    """Return the field for the channel's folder; empty where there are no folders."""
    folders = [each for each in store.folders.in_order() if not each.is_archived]
    if not folders:
        return []
    named = [Choice(value=each.id, label=sanitize_line(each.name)) for each in folders]
    choices: list[Choice[Any]] = [Choice(value=None, label="none"), *named]
    return [ChoiceField(name="folder_id", label="Folder", choices=choices, value=value)]


async def edit_permissions(context: AccountContext, channel: Channel) -> None:
    """Edit the channel's permissions."""

    async def send(news: Mapping[str, Any]) -> None:
        await commands.update(context.session.sync, channel.channel_id, groups=news)

    title = f"Permissions in {channels.name(context.session.store, channel)}"
    await edit_section(context, channels.PERMISSIONS, record=channel, send=send, title=title)


async def toggle_default(context: AccountContext, channel: Channel) -> None:
    """Make the channel a default for new users, or end that."""
    default = channel.channel_id not in context.session.store.realm.default_channel_ids
    await commands.set_default(context.session.sync, channel.channel_id, default=default)
    name = channels.name(context.session.store, channel)
    context.toast(f"{name} is {'now' if default else 'no longer'} a default channel.")


async def archive(context: AccountContext, channel: Channel) -> None:
    """Archive the channel after a question, or restore it."""
    name = channels.name(context.session.store, channel)
    people = channels.people(channel)
    if channel.is_archived:
        title, yes = f"Restore {name}?", "Restore"
        text = (
            f"It can be written to again, with {people}."
            if people
            else "It can be written to again."
        )
    else:
        title, yes = f"Archive {name}?", "Archive"
        text = (
            f"It can no longer be written to{f', and disappears for {people}' if people else ''}."
            " Its messages can still be read and searched, and it can be restored."
        )
    if await context.ask(Question(title, text, yes=yes)):
        archived = not channel.is_archived
        await commands.set_archived(context.session.sync, channel.channel_id, archived=archived)
        context.toast(f"{name} is {'archived' if archived else 'restored'}.")


async def show_address(context: AccountContext, channel: Channel) -> None:
    """Show the channel's email address, and copy it if the user wants."""
    address = sanitize_line(await commands.email_address(context.session.sync, channel.channel_id))
    title = f"Email address of {channels.name(context.session.store, channel)}"
    if await context.ask(Question(title, address, yes="Copy")):
        context.copy(address)
        context.toast("Address copied.")
