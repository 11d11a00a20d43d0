"""Creating a channel: name, visibility, permissions, first members. Draws nothing itself."""

from __future__ import annotations

from tui.api.features import knows
from tui.api.model import ChannelId, GroupSetting
from tui.commands import channels as commands
from tui.narrow import ChannelNarrow
from tui.screens.channels.forms import folder_fields, privacy_field
from tui.screens.channels.members import chosen_people, people_choices
from tui.screens.context import AccountContext
from tui.screens.dialogs.form import Answers, Field, Form, SeveralField, TextField, TickField
from tui.screens.fields.groups import group_field, group_value
from tui.screens.fields.settings import NOWHERE, field_of
from tui.store import Store
from tui.view import channels
from tui.view.user_groups import system_groups


async def make_channel(context: AccountContext, name: str = "") -> ChannelId | None:
    """Ask for the properties and create a channel; return its ID, None if canceled."""
    store, sync = context.session.store, context.session.sync
    channel_ids: list[ChannelId] = []

    async def submit(answers: Answers) -> None:
        channel_ids.append(
            await commands.create(
                sync,
                name=answers.text("name"),
                description=answers.text("description"),
                privacy=answers.choice("privacy"),
                subscribers=sorted(chosen_people(store, answers.several("people"))),
                announce=bool(answers.values.get("announce")),
                folder_id=answers.values.get("folder_id"),
                topics_policy=answers.values.get("topics_policy"),
                groups=_groups(answers),
            )
        )

    fields = _fields(store, name)
    await context.ask(Form("New channel", fields, submit=submit, yes="Create"))
    return channel_ids[0] if channel_ids else None


async def make_and_open(context: AccountContext, name: str = "") -> None:
    """Create a channel after a form, and open it."""
    channel_id = await make_channel(context, name)
    if channel_id is not None:
        context.go(ChannelNarrow(channel_id))


def _groups(answers: Answers) -> dict[str, GroupSetting]:
    name = "can_send_message_group"
    value = group_value(answers, name) if name in answers.changed else None
    return {} if value is None else {name: value}


def _fields(store: Store, name: str) -> list[Field]:
    limits = store.realm.limits
    kinds = channels.privacies(store)
    everyone = next((g.id for g in system_groups(store) if g.name == "role:everyone"), None)
    fields: list[Field] = [
        TextField(name="name", label="Name", value=name, longest=limits.max_channel_name_length),
        TextField(
            name="description",
            label="Description",
            longest=limits.max_channel_description_length,
        ),
        privacy_field(store, kinds[0] if kinds else channels.Privacy.OPEN),
        SeveralField(
            name="people",
            label="Members",
            choices=people_choices(store, but=frozenset({store.self_id})),
            nothing="no one yet",
        ),
        *folder_fields(store, None),
        field_of(store, channels.TOPICS_POLICY, "inherit"),
        group_field(store, "can_send_message_group", "Who can write", everyone),
    ]
    if (store.realm.settings.new_stream_announcements_stream_id or NOWHERE) != NOWHERE:
        fields.append(
            TickField(name="announce", label="announce it to the organization", value=True)
        )
    return [each for each in fields if knows(store.realm.feature_level, each.name)]
