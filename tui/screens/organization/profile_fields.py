"""The page of custom profile fields. Asks, and tells the server."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from typing import Any

from tui.api.features import knows
from tui.api.organization import CustomProfileField
from tui.commands import profile_fields
from tui.content.sanitize import sanitize_line
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.form import Answers, Field, Form, TextField, TickField
from tui.screens.dialogs.listing import ListingRow
from tui.screens.organization.live_page import CurrentPage
from tui.screens.page import ordered_item_actions
from tui.store import Store
from tui.view import profile_fields as view
from tui.view.permissions import is_administrator
from tui.view.profile_fields import ACCOUNT, KINDS, OPTIONS, PEOPLE, detail


async def show(context: AccountContext) -> None:
    """Show the profile fields until Esc."""
    await ProfileFields(context).show()


class ProfileFields(CurrentPage[tuple[CustomProfileField, ...]]):
    """The profile fields in the order of the profile."""

    title = "Profile fields"
    nothing = "No profile fields yet."

    def known(self) -> tuple[CustomProfileField, ...]:
        return self.store.realm.profile_fields

    async def ask(self) -> tuple[CustomProfileField, ...]:
        return await profile_fields.fetch(self.sync)

    def rows(self) -> Sequence[ListingRow]:
        return [
            ListingRow(key=each.id, label=sanitize_line(each.name), detail=detail(each))
            for each in sorted(self.current, key=lambda each: each.order)
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        if not is_administrator(self.store):
            return []
        new = DialogAction(key="n", label="new", run=self._create)
        field = next((each for each in self.current if each.id == key), None)
        if field is None:
            return [new]
        existing = ordered_item_actions(
            change=partial(self._change, field),
            move=partial(profile_fields.move, self.sync, field.id),
            delete=partial(self._delete, field),
        )
        return [*existing, new]

    async def _create(self) -> None:
        kinds: list[Choice[int]] = [
            Choice(value=kind, label=name, detail=words, weight=-kind)
            for kind, (name, words) in KINDS.items()
        ]
        kind: int | None = await self.context.ask(
            Chooser("Type of field", kinds, hint="text, options, date…")
        )
        if kind is None:
            return

        async def submit(answers: Answers) -> None:
            await profile_fields.create(
                self.sync,
                field_type=kind,
                name=answers.text("name"),
                hint=answers.text("hint"),
                field_data=_data(kind, answers, ""),
                display_in_profile_summary=kind != PEOPLE and answers.tick("summary"),
                required=bool(answers.values.get("required", False)),
                editable_by_user=bool(answers.values.get("editable", True)),
            )

        await self.context.ask(
            Form(f"New field: {KINDS[kind][0]}", _fields(self.store, kind, None), submit=submit)
        )

    async def _change(self, field: CustomProfileField) -> None:
        async def submit(answers: Answers) -> None:
            def new(name: str, value: Any) -> Any:
                return value if name in answers.changed else None

            await profile_fields.change(
                self.sync,
                field.id,
                name=new("name", answers.text("name")),
                hint=new("hint", answers.text("hint")),
                field_data=new("data", _data(field.type, answers, field.field_data)),
                display_in_profile_summary=new("summary", answers.values.get("summary")),
                required=new("required", answers.values.get("required")),
                editable_by_user=new("editable", answers.values.get("editable")),
            )

        def preview(answers: Answers) -> str:
            gone = view.dropped(_lines(answers), field.field_data) if field.type == OPTIONS else []
            return f"People who chose {', '.join(gone)} will lose their answer." if gone else ""

        name = sanitize_line(field.name)
        form = Form(
            f"Field {name}", _fields(self.store, field.type, field), submit=submit, preview=preview
        )
        await self.context.ask(form)

    async def _delete(self, field: CustomProfileField) -> None:
        text = "Everyone's values for it are deleted too. This cannot be undone."
        if await self.confirms(f"Delete {sanitize_line(field.name)}?", text, yes="Delete"):
            await profile_fields.delete(self.sync, field.id)


def _fields(store: Store, kind: int, field: CustomProfileField | None) -> list[Field]:
    fields: list[Field] = [
        TextField(
            name="name", label="Name", value=sanitize_line(field.name if field else ""), longest=40
        ),
        TextField(
            name="hint", label="Hint", value=sanitize_line(field.hint if field else ""), longest=80
        ),
    ]
    data = field.field_data if field else ""
    if kind == OPTIONS:
        texts = "\n".join(view.options(data))
        fields.append(TextField(name="data", label="Options, one per line", value=texts, lines=4))
    if kind == ACCOUNT and (field is None or view.url_pattern(data)):
        fields.append(
            TextField(
                name="data",
                label="Account URL",
                value=view.url_pattern(data),
                hint=f"https://example.com/{view.USERNAME}",
            )
        )
    if kind != PEOPLE:  # servers show no people in a summary
        is_in_summary = bool(field and field.display_in_profile_summary)
        fields.append(
            TickField(name="summary", label="show in the profile summary", value=is_in_summary)
        )
    level = store.realm.feature_level
    if knows(level, "required"):
        is_required = bool(field and field.required)
        fields.append(TickField(name="required", label="required", value=is_required))
    if knows(level, "editable_by_user"):
        own = field is None or field.editable_by_user
        fields.append(TickField(name="editable", label="people can edit it themselves", value=own))
    return fields


def _data(kind: int, answers: Answers, before: str) -> Mapping[str, object] | None:
    if kind == OPTIONS:
        return view.options_data(_lines(answers), before)
    if kind == ACCOUNT and "data" in answers.values:
        return {"subtype": "custom", "url_pattern": answers.text("data")}
    return None


def _lines(answers: Answers) -> list[str]:
    return [line.strip() for line in answers.text("data").splitlines() if line.strip()]
