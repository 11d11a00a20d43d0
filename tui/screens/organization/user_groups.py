"""The page of user groups: members, permissions, and the actions on them. Asks, and tells the server."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial

from tui.api.features import GROUP_DEACTIVATION, GROUPS_THAT_COME_BACK
from tui.api.model import UserGroup, UserGroupId, UserId
from tui.commands import user_groups as commands
from tui.content.sanitize import sanitize_line
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.card import Card, Section
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.form import Answers, Field, Form, SeveralField, TextField
from tui.screens.dialogs.listing import ListingRow
from tui.screens.fields.groups import group_changes, group_field
from tui.screens.page import Page
from tui.store import Store
from tui.view import names, permissions, user_groups, users
from tui.view.cards import CardPart, Heading, Pair, Sentence


async def show(context: AccountContext) -> None:
    """Show the user groups until Esc."""
    await UserGroups(context).show()


class UserGroups(Page):
    """User groups by name, then the role-based ones; `h` shows deactivated ones too."""

    title = "Groups"
    nothing = "There are no groups yet."

    def __init__(self, context: AccountContext) -> None:
        super().__init__(context)
        self._deactivated = False

    def rows(self) -> Sequence[ListingRow]:
        store = self.store
        groups = user_groups.named_groups(store, deactivated=self._deactivated)
        by_role = user_groups.system_groups(store)
        return [
            ListingRow(
                key=each.id,
                label=user_groups.group(store, each.id),
                detail=user_groups.detail(store, each),
                faint=each.deactivated,
            )
            for each in (*groups, *by_role)
            if each.name not in user_groups.NO_ROLE
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        group = self.store.groups.by_id.get(UserGroupId(key)) if isinstance(key, int) else None
        actions = [] if group is None else self._actions_of(group)
        if permissions.may_create_groups(self.store):
            actions.append(DialogAction(key="n", label="new", run=partial(_create, self.context)))
        label = "hide deactivated" if self._deactivated else "show deactivated"
        return [*actions, DialogAction(key="h", label=label, run=self._toggle_deactivated)]

    def _actions_of(self, group: UserGroup) -> list[DialogAction]:
        store, context = self.store, self.context
        actions = [DialogAction(key="enter", label="open", run=partial(_open, context, group))]
        manages = permissions.may_manage_group(store, group)
        if group.deactivated:
            if GROUPS_THAT_COME_BACK.is_in(store.realm.feature_level) and manages:
                reactivate = partial(commands.change, self.sync, group.id, deactivated=False)
                actions.append(DialogAction(key="d", label="reactivate", run=reactivate))
            return actions
        if manages:
            actions.append(DialogAction(key="e", label="edit", run=partial(_edit, context, group)))
        if permissions.may_add_members(store, group) or permissions.may_remove_members(
            store, group
        ):
            members = partial(_change_members, context, group)
            actions.append(DialogAction(key="m", label="members", run=members))
        if store.self_id in group.members:
            if permissions.may_leave_group(store, group):
                actions.append(
                    DialogAction(key="j", label="leave", run=partial(self._leave, group))
                )
        elif permissions.may_join_group(store, group):
            join = partial(commands.change_members, self.sync, group.id, add={store.self_id})
            actions.append(DialogAction(key="j", label="join", run=join))
        if manages:
            keeps = GROUP_DEACTIVATION.is_in(store.realm.feature_level)
            label = "deactivate" if keeps else "delete"
            actions.append(DialogAction(key="d", label=label, run=partial(self._deactivate, group)))
        return actions

    async def _toggle_deactivated(self) -> None:
        self._deactivated = not self._deactivated

    async def _leave(self, group: UserGroup) -> None:
        name = user_groups.group(self.store, group.id)
        text = "Only a group manager can add you back."
        comes_back = permissions.may_join_group(self.store, group)
        if comes_back or await self.confirms(f"Leave {name}?", text, yes="Leave"):
            await commands.change_members(self.sync, group.id, remove={self.store.self_id})

    async def _deactivate(self, group: UserGroup) -> None:
        name = user_groups.group(self.store, group.id)
        if not GROUP_DEACTIVATION.is_in(self.store.realm.feature_level):
            if await self.confirms(f"Delete {name}?", "This cannot be undone.", yes="Delete"):
                await commands.deactivate(self.sync, group.id)
                self.context.toast(f"{name} deleted.")
            return
        text = (
            f"{name} can no longer be mentioned or used in permissions."
            " Its members are kept, and the group can be reactivated."
        )
        if await self.confirms(f"Deactivate {name}?", text, yes="Deactivate"):
            await commands.deactivate(self.sync, group.id)
            self.context.toast(f"{name} deactivated.")


async def _open(context: AccountContext, group: UserGroup) -> None:
    async def members() -> Sequence[CardPart]:
        return await _members(context, group)

    async def allowed() -> Sequence[CardPart]:
        now = user_groups.permissions(group)
        pairs = [
            Pair(label, user_groups.who(context.session.store, now[name]))
            for name, label in user_groups.PERMISSIONS.items()
        ]
        return [pair for pair in pairs if pair.text]

    sections = [Section(name="Members", load=members), Section(name="Permissions", load=allowed)]
    title = user_groups.group(context.session.store, group.id)
    await context.ask(Card(title, sections, reader=context.reader))


async def _members(context: AccountContext, group: UserGroup) -> Sequence[CardPart]:
    store, sync = context.session.store, context.session.sync
    people = await commands.everybody_in(sync, group.id)
    inside = await commands.groups_in(sync, group.id) if group.direct_subgroup_ids else frozenset()

    def listed(ids: frozenset[UserId]) -> str:
        return ", ".join(sorted((names.person(store, each) for each in ids), key=str.casefold))

    parts: list[CardPart] = [Sentence(listed(people & group.members) or "No members.")]
    if inside:
        groups = sorted((user_groups.group(store, each) for each in inside), key=str.casefold)
        parts += [Heading(f"Through {', '.join(groups)}"), Sentence(listed(people - group.members))]
    return parts


def _people_field(store: Store, ids: Sequence[UserId], value: frozenset[UserId]) -> SeveralField:
    bots = {user.user_id for user in store.users.by_id.values() if user.is_bot}
    choices = [
        Choice(value=each, label=names.person(store, each), detail="bot" if each in bots else "")
        for each in ids
    ]
    return SeveralField(name="members", label="People", choices=choices, value=value, nothing="—")


def _parts_field(store: Store, group: UserGroup | None) -> SeveralField:
    choices = [
        Choice(value=each.id, label=user_groups.group(store, each.id))
        for each in user_groups.possible_parts(store, group)
    ]
    value = group.direct_subgroup_ids if group is not None else frozenset()
    return SeveralField(
        name="parts", label="Members of groups", choices=choices, value=value, nothing="—"
    )


def _text_fields(group: UserGroup | None) -> list[Field]:
    name, description = ("", "") if group is None else (group.name, group.description)
    return [
        TextField(name="name", label="Name", value=sanitize_line(name), hint="used in mentions"),
        TextField(name="description", label="Description", value=sanitize_line(description)),
    ]


def _active(store: Store) -> list[UserId]:
    return [each.user_id for each in users.with_bots(store)]


async def _create(context: AccountContext) -> None:
    store = context.session.store

    async def submit(answers: Answers) -> None:
        await commands.create(
            context.session.sync,
            name=answers.text("name"),
            description=answers.text("description"),
            members=answers.several("members"),
            subgroups=answers.several("parts"),
        )

    fields = [
        *_text_fields(None),
        _people_field(store, _active(store), frozenset({store.self_id})),
        _parts_field(store, None),
    ]
    text = "Groups can be mentioned and given permissions."
    await context.ask(Form("A new group", fields, submit=submit, yes="Create", text=text))


async def _edit(context: AccountContext, group: UserGroup) -> None:
    store, before = context.session.store, user_groups.permissions(group)

    async def submit(answers: Answers) -> None:
        if answers.changed:
            await commands.change(
                context.session.sync,
                group.id,
                name=answers.text("name") if "name" in answers.changed else None,
                description=_text_of(answers, "description"),
                groups=group_changes(answers, before),
            )

    fields = [
        *_text_fields(group),
        *(
            group_field(store, name, label, before[name])
            for name, label in user_groups.PERMISSIONS.items()
            if before[name] is not None
        ),
    ]
    title = user_groups.group(store, group.id)
    await context.ask(Form(title, fields, submit=submit))


def _text_of(answers: Answers, name: str) -> str | None:
    return answers.text(name) if name in answers.changed else None


async def _change_members(context: AccountContext, group: UserGroup) -> None:
    store, everybody = context.session.store, _active(context.session.store)
    adds, removes = (
        permissions.may_add_members(store, group),
        permissions.may_remove_members(store, group),
    )
    before = group.members if removes else frozenset()
    offered = [
        each
        for each in everybody
        if (each in before or adds) and each not in group.members - before
    ]
    offered += sorted(before - set(offered))
    fields: list[Field] = [_people_field(store, offered, before)]
    if permissions.may_manage_group(store, group):
        fields.append(_parts_field(store, group))

    async def submit(answers: Answers) -> None:
        people = answers.several("members")
        parts = answers.several("parts") if len(fields) > 1 else group.direct_subgroup_ids
        await commands.change_members(
            context.session.sync,
            group.id,
            add=people - before,
            remove=before - people,
            add_groups=parts - group.direct_subgroup_ids,
            remove_groups=group.direct_subgroup_ids - parts,
        )

    title = f"Members of {user_groups.group(store, group.id)}"
    await context.ask(Form(title, fields, submit=submit))
