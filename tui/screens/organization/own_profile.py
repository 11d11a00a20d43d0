"""The page of the user's own profile, password and account. Asks, and tells the server."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial

from tui.commands import avatars, sign_in
from tui.commands import users as commands
from tui.content.sanitize import sanitize_line
from tui.errors import ConfigError
from tui.host import host_of
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.form import Answers, ChoiceField, Field, Form, TextField
from tui.screens.dialogs.listing import ListingRow
from tui.screens.dialogs.path import ask_path
from tui.screens.fields.profile import profile_answers, profile_fields
from tui.screens.page import Page
from tui.view import own_profile


async def show(context: AccountContext) -> None:
    """Show the user's profile, to change it."""
    await OwnProfile(context).show()


class OwnProfile(Page):
    """The user's own data, one line each."""

    title = "Your profile"
    nothing = "Your profile has not loaded yet."

    def rows(self) -> Sequence[ListingRow]:
        return [
            ListingRow(key=(at, label), label=label, detail=text)
            for at, (label, text) in enumerate(own_profile.lines(self.store))
        ]

    def actions(self, _: Hashable | None) -> Sequence[DialogAction]:
        store, context = self.store, self.context
        actions = [
            DialogAction(key="enter", label="edit", run=partial(_edit, context)),
            DialogAction(key="p", label="password", run=partial(_change_password, context)),
        ]
        if own_profile.may_change_picture(store):
            actions.append(
                DialogAction(key="u", label="new picture", run=partial(_new_picture, context))
            )
            if own_profile.has_picture(store):
                remove = self._remove_picture
                actions.append(DialogAction(key="d", label="remove the picture", run=remove))
        return [*actions, DialogAction(key="x", label="deactivate account", run=self._leave)]

    async def _remove_picture(self) -> None:
        text = "A generated picture is shown instead."
        if await self.confirms("Remove your picture?", text, yes="Remove"):
            await avatars.delete(self.sync)
            self.context.toast("Picture removed.")

    async def _leave(self) -> None:
        text = (
            "Your account is deactivated, and you are signed out everywhere. Your messages are kept."
            " Only an administrator can reactivate it."
        )
        if await self.confirms("Deactivate your account?", text, yes="Deactivate"):
            if not host_of(self.context.app).is_local:

                async def submit(answers: Answers) -> None:
                    await _check_password(self.context, answers.values["password"])

                field = TextField(name="password", label="Your password", secret=True)
                if not await self.context.ask(
                    Form("Deactivate your account", [field], submit=submit)
                ):
                    return
            await commands.deactivate_own(self.sync)


async def _check_password(context: AccountContext, password: str) -> None:
    """Raise unless the password is the user's: an SSH session may have been left open, or its key stolen."""
    store, sync = context.session.store, context.session.sync
    me = store.users.by_id[store.self_id]
    site = sync.connection.base_url.text
    await sign_in.by_password(site, me.delivery_email or me.email, password, allow_http=True)


async def _edit(context: AccountContext) -> None:
    store, sync = context.session.store, context.session.sync
    me = store.users.by_id[store.self_id]
    zones = [
        Choice(value=z, label=sanitize_line(z) or "—")
        for z in own_profile.zones(store.settings.timezone)
    ]
    fields: list[Field] = [
        TextField(name="email", label="Email", value=sanitize_line(me.delivery_email or me.email)),
        ChoiceField(
            name="timezone", label="Time zone", choices=zones, value=store.settings.timezone
        ),
        *profile_fields(store, me, own=True),
    ]
    if own_profile.may_rename(store):
        fields.insert(
            0, TextField(name="full_name", label="Name", value=sanitize_line(me.full_name))
        )

    asks_password = not host_of(context.app).is_local
    if asks_password:
        hint = "needed to change the email address"
        fields.append(TextField(name="password", label="Your password", hint=hint, secret=True))

    async def submit(answers: Answers) -> None:
        if asks_password and "email" in answers.changed:
            await _check_password(context, answers.values["password"])
        changes: dict[str, str] = {
            name: answers.text(name)
            for name in ("full_name", "email", "timezone")
            if name in answers.changed
        }
        if changes:
            await commands.change_own(sync, changes)
        await commands.set_own_profile(sync, profile_answers(store, answers))

    await context.ask(Form("Your profile", fields, submit=submit))


async def _change_password(context: AccountContext) -> None:
    async def submit(answers: Answers) -> None:
        old, new = answers.values["old"], answers.values["new"]
        if new != answers.values["again"]:
            raise ConfigError("The passwords do not match.")
        await commands.change_own(context.session.sync, {"old_password": old, "new_password": new})

    fields = [
        TextField(name="old", label="Current password", secret=True),
        TextField(name="new", label="New password", secret=True),
        TextField(name="again", label="Repeat new password", secret=True),
    ]
    if await context.ask(Form("Change password", fields, submit=submit)):
        context.toast("Password changed.")


async def _new_picture(context: AccountContext) -> None:
    path = await ask_path(context, "Profile picture", enter="Upload")
    if path is not None:
        await avatars.upload(context.session.sync, path)
        context.toast("Profile picture updated.")
