"""The page of the organization's members, and the actions on their accounts. Asks, and tells the server."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial

from tui.api.features import OTHERS_STATUS, knows
from tui.api.model import Role, User, UserId
from tui.commands import users as commands
from tui.content.sanitize import sanitize_line
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.form import Answers, ChoiceField, Field, Form, TextField
from tui.screens.dialogs.listing import ListingRow
from tui.screens.fields.profile import profile_answers, profile_fields
from tui.screens.page import Page
from tui.screens.people.card import show_person
from tui.store import Store
from tui.view import names, roles, users
from tui.view.permissions import is_administrator


async def show(context: AccountContext) -> None:
    """Show the members until Esc."""
    await Users(context).show()


class Users(Page):
    """The members by name; `h` shows deactivated accounts too."""

    title = "People"
    nothing = "No people."

    def __init__(self, context: AccountContext) -> None:
        super().__init__(context)
        self._deactivated = False

    def rows(self) -> Sequence[ListingRow]:
        store, now = self.store, self.context.clock()
        return [
            ListingRow(
                key=user.user_id,
                label=names.person(store, user.user_id),
                detail=users.columns(store, user, now),
                faint=not user.is_active,
            )
            for user in users.everybody(store, deactivated=self._deactivated)
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        store = self.store
        user = store.users.by_id.get(UserId(key)) if isinstance(key, int) else None
        actions = []
        if user is not None:
            show = partial(show_person, self.context, user.user_id)
            actions.append(DialogAction(key="enter", label="open", run=show))
            if roles.may_change(store, user):
                actions += self._changes(user)
        if is_administrator(store):
            actions.append(DialogAction(key="n", label="new", run=self._create))
        label = "hide deactivated" if self._deactivated else "show deactivated"
        return [*actions, DialogAction(key="h", label=label, run=self._toggle_deactivated)]

    def _changes(self, user: User) -> list[DialogAction]:
        if not user.is_active:
            return [DialogAction(key="d", label="reactivate", run=partial(self._reactivate, user))]
        actions = [
            DialogAction(key="r", label="role", run=partial(self._set_role, user)),
            DialogAction(key="e", label="edit", run=partial(edit, self.context, user)),
        ]
        if user.user_id == self.store.self_id:
            return actions
        deactivate = partial(self._deactivate, user)
        return [*actions, DialogAction(key="d", label="deactivate", run=deactivate)]

    async def _toggle_deactivated(self) -> None:
        self._deactivated = not self._deactivated

    async def _reactivate(self, user: User) -> None:
        await commands.set_active(self.sync, user.user_id, active=True)
        self._tell(user, "can sign in again.")

    def _tell(self, user: User, what: str) -> None:
        name = names.person(self.store, user.user_id)
        self.context.toast(f"{name} {what}")

    async def _set_role(self, user: User) -> None:
        store = self.store
        name = names.person(store, user.user_id)
        choices = [
            Choice(value=role, label=roles.ROLES[role], detail=roles.WORDS[role], weight=-role)
            for role in roles.to_give(store)
        ]
        role: Role | None = await self.context.ask(
            Chooser(f"Role of {name} (now {roles.name(user.role)})", choices, hint="a role")
        )
        if role is not None and role != user.role:
            await commands.set_role(self.sync, user.user_id, role)
            self._tell(user, f"is now {roles.ROLES[role]}.")

    async def _deactivate(self, user: User) -> None:
        store = self.store
        name = names.person(store, user.user_id)
        if await self.confirms(
            f"Deactivate {name}?", users.deactivation(store, user), yes="Deactivate"
        ):
            await commands.set_active(self.sync, user.user_id, active=False)
            self._tell(user, "deactivated.")

    async def _create(self) -> None:
        store, sync = self.store, self.sync

        user_ids: list[UserId] = []

        async def submit(answers: Answers) -> None:
            if not user_ids:  # not again where only the role was refused
                user_ids.append(
                    await commands.create(
                        sync,
                        full_name=answers.text("name"),
                        email=answers.text("email"),
                        password=answers.values["password"],
                    )
                )
            if "role" in answers.changed:
                await commands.set_role(sync, user_ids[0], answers.choice("role"))

        fields: list[Field] = [
            TextField(name="name", label="Name"),
            TextField(name="email", label="Email", hint="email address for signing in"),
            TextField(
                name="password", label="Initial password", secret=True, hint="they can change it"
            ),
            role_field(roles.to_give(store)),
        ]
        form = Form(
            "New account",
            fields,
            submit=submit,
            yes="Create",
            text="With an invitation, people choose their own name and password.",
        )
        if await self.context.ask(form):
            self.context.toast("Account created.")


def role_field(given: Sequence[Role]) -> ChoiceField:
    """Return the field of a user's role; member at first."""
    choices = [
        Choice(value=role, label=roles.ROLES[role], detail=roles.WORDS[role]) for role in given
    ]
    return ChoiceField(name="role", label="Role", choices=choices, value=Role.MEMBER)


async def edit(context: AccountContext, user: User) -> None:
    """Edit a user's name, email address, status and custom profile fields."""
    store = context.session.store
    status = TextField(name="status", label="Status", value=_description(store, user), longest=60)
    address = TextField(name="email", label="Email", value=user.delivery_email or "")
    fields: list[Field] = [
        TextField(name="name", label="Name", value=names.person(store, user.user_id)),
        *([address] if knows(store.realm.feature_level, "new_email") else []),
        *([status] if OTHERS_STATUS.is_in(store.realm.feature_level) else []),
        *profile_fields(store, user, own=False),
    ]
    form = Form(
        names.person(store, user.user_id), fields, submit=partial(_save, context, user.user_id)
    )
    await context.ask(form)


def _description(store: Store, user: User) -> str:
    status = store.statuses.by_user.get(user.user_id)
    return sanitize_line(status.status_text or "") if status is not None else ""


async def _save(context: AccountContext, user_id: UserId, answers: Answers) -> None:
    sync, changed = context.session.sync, answers.changed
    profile_data = profile_answers(context.session.store, answers)
    if changed & {"name", "email"} or profile_data:
        await commands.change(
            sync,
            user_id,
            full_name=answers.text("name") if "name" in changed else None,
            email=answers.text("email") if "email" in changed else None,
            profile_data=profile_data or None,
        )
    if "status" in changed:
        await commands.set_status(sync, user_id, answers.text("status"))
