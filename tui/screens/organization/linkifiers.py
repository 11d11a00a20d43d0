"""The page of linkifiers: patterns whose matches become links. Asks, and tells the server."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial

from tui.api.features import knows
from tui.api.organization import Linkifier
from tui.api.routes.linkifiers import NewLinkifier
from tui.commands import linkifiers
from tui.content.sanitize import sanitize_line
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.form import Answers, Field, Form, TextField
from tui.screens.dialogs.listing import ListingRow
from tui.screens.organization.live_page import CurrentPage
from tui.screens.page import ordered_item_actions
from tui.view import patterns
from tui.view.linkifiers import detail, explained, label
from tui.view.patterns import Trial
from tui.view.permissions import is_administrator

_WORDS = (
    "A pattern (RE2) with named groups, and a link with their names in braces (RFC 6570): "
    "#(?P<id>[0-9]+) and https://example.com/{id}."
)


async def show(context: AccountContext) -> None:
    """Show the linkifiers until Esc."""
    await Linkifiers(context).show()


class Linkifiers(CurrentPage[tuple[Linkifier, ...]]):
    """The linkifiers in the order in which they are tried."""

    title = "Linkifiers (the first match wins)"
    nothing = "No linkifiers yet."

    def known(self) -> tuple[Linkifier, ...]:
        return self.store.realm.linkifiers

    async def ask(self) -> tuple[Linkifier, ...]:
        return await linkifiers.fetch(self.sync)

    def rows(self) -> Sequence[ListingRow]:
        return [
            ListingRow(key=each.id, label=label(each), detail=detail(each)) for each in self.current
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        if not is_administrator(self.store):
            return []
        new = DialogAction(key="n", label="new", run=partial(self._edit, None))
        linkifier = next((each for each in self.current if each.id == key), None)
        if linkifier is None:
            return [new]
        existing = ordered_item_actions(
            change=partial(self._edit, linkifier),
            move=partial(linkifiers.move, self.sync, linkifier.id),
            delete=partial(self._delete, linkifier),
        )
        return [*existing, new]

    async def _edit(self, linkifier: Linkifier | None) -> None:
        async def submit(answers: Answers) -> None:
            sync = self.sync
            if linkifier is None:
                await linkifiers.create(sync, _new_linkifier(answers))
            else:
                await linkifiers.change(sync, linkifier.id, _new_linkifier(answers))

        form = Form(
            "New linkifier" if linkifier is None else "Linkifier",
            _fields(linkifier, self.store.realm.feature_level),
            submit=submit,
            text=_WORDS,
            preview=_preview,
        )
        if await self.context.ask(form):
            self.context.toast("New messages will have these links.")

    async def _delete(self, linkifier: Linkifier) -> None:
        text = f"{linkifier.url_template}\n\nExisting messages keep the link."
        if await self.confirms(f"Delete {label(linkifier)}?", text, yes="Delete"):
            await linkifiers.delete(self.sync, linkifier.id)


def _fields(linkifier: Linkifier | None, level: int) -> list[Field]:
    """Return the fields that the server knows; the example, which old servers drop, also tests the pattern
    here.
    """

    def text(name: str, label: str, value: str | None, hint: str) -> Field:
        return TextField(name=name, label=label, value=sanitize_line(value or ""), hint=hint)

    was = linkifier
    alternatives = was.alternative_url_templates if was else ()
    fields = [
        text("pattern", "Pattern", was.pattern if was else "", "#(?P<id>[0-9]+)"),
        text("url_template", "Link", was.url_template if was else "", "https://example.com/{id}"),
        text("example", "Example", was.example_input if was else "", "#123"),
    ]
    if knows(level, "reverse_template"):
        before = was.reverse_template if was else ""
        fields.append(text("reverse", "Reverse template", before, "#{id}"))
    if knows(level, "alternative_url_templates"):
        others = "\n".join(map(sanitize_line, alternatives))
        fields.append(
            TextField(name="alternatives", label="Alternative links", value=others, lines=2)
        )
    return fields


def _new_linkifier(answers: Answers) -> NewLinkifier:
    return NewLinkifier(
        pattern=answers.text("pattern"),
        url_template=answers.text("url_template"),
        example_input=answers.text("example") or None,
        reverse_template=answers.values.get("reverse") or None,
        alternative_url_templates=_alternatives(answers),
    )


def _alternatives(answers: Answers) -> tuple[str, ...]:
    lines = (line.strip() for line in str(answers.values.get("alternatives", "")).splitlines())
    return tuple(line for line in lines if line)


def _preview(answers: Answers) -> str:
    """Return what the linkifier makes of the example, for the current fields."""
    pattern, example = answers.text("pattern"), answers.text("example")
    trial = patterns.trial(pattern, example) if pattern and example else Trial()
    return explained(
        trial,
        example=example if pattern else "",
        url_template=answers.text("url_template"),
        reverse=str(answers.values.get("reverse", "")).strip(),
        alternatives=_alternatives(answers),
    )
