"""A prompt for a file of this machine, with completion from the file system."""

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from tui.commands.files import Proposal, existing, proposals
from tui.content.pasted import with_newlines
from tui.content.sanitize import sanitize_line
from tui.host import Host, host_of
from tui.screens.context import AccountContext
from tui.screens.dialogs.base import Dialog

START: Final = "~/"
_ROOTS: Final = ("/", "~", "file:", "'", '"')
"""The beginnings of an absolute path, typed or pasted."""


class _PathField(Input):
    """The field of the path; an absolute path typed or pasted after the proposed folder replaces it."""

    def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        text = with_newlines(event.text).strip()
        path = existing(text, host_of(self.app))
        if path is not None:
            self.value = str(path)
        elif text.startswith(_ROOTS):
            self.value = sanitize_line(text)
        else:
            self.insert_text_at_cursor(sanitize_line(text))
            return
        self.cursor_position = len(self.value)

    def watch_value(self, value: str) -> None:
        """Replace the proposed "~/" by a path that is typed after it and begins with a slash or a tilde."""
        if value.startswith((f"{START}/", f"{START}~")):
            self.value = value.removeprefix(START)
            self.cursor_position = len(self.value)


class PathPrompt(Dialog[Path]):
    """A prompt for a file. Dismissed with the path of an existing file."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,ctrl+n", "move(1)", "Next", show=False, priority=True),
        Binding("up", "move(-1)", "Previous", show=False, priority=True),
        Binding("enter", "choose", "Choose", priority=True),
        Binding("tab", "complete", "Complete", priority=True),
    ]

    def __init__(self, title: str, *, enter: str = "Attach") -> None:
        """`enter` is the label of the key: what happens with the file."""
        super().__init__()
        self.hint_labels: Mapping[str, str] = {"choose": enter}
        self._title = title
        self._proposals: list[Proposal] = []

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static(Content(self._title), classes="title")
            yield _PathField(START, id="path", select_on_focus=False)
            yield OptionList(id="matches", markup=False)

    @property
    def _host(self) -> Host:
        return host_of(self.app)

    def on_mount(self) -> None:
        self.query_one(OptionList).can_focus = False
        self.query_one(Input).focus()
        self._propose(START)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._propose(event.value)

    def _propose(self, typed: str) -> None:
        self._proposals = proposals(typed, self._host)
        option_list = self.query_one(OptionList)
        option_list.clear_options()
        option_list.add_options(
            Option(Content(sanitize_line(each.name) + "/" * each.is_folder))
            for each in self._proposals
        )
        if not self._proposals and existing(typed, self._host) is None:
            is_folder = typed.endswith("/") and self._host.expanded(typed).is_dir()
            hint = "No visible files here. Type a path." if is_folder else "No such file."
            option_list.add_options([Option(Content(hint), disabled=True)])
        option_list.highlighted = 0 if self._proposals else None

    def action_move(self, lines: int) -> None:
        """Move the cursor; the text field keeps the focus."""
        if self._proposals:
            option_list = self.query_one(OptionList)
            option_list.highlighted = ((option_list.highlighted or 0) + lines) % len(
                self._proposals
            )

    def action_complete(self) -> None:
        """Complete the path with the proposal under the cursor."""
        at = self.query_one(OptionList).highlighted
        if at is not None and self._proposals:
            self._take(self._proposals[at])

    def action_choose(self) -> None:
        """Accept the file that was typed, or else the proposal under the cursor."""
        path = existing(self.query_one(Input).value, self._host)
        if path is not None:
            self.dismiss(path)
            return
        at = self.query_one(OptionList).highlighted
        if at is not None and self._proposals:
            self._choose(self._proposals[at])

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if self._proposals:
            self._choose(self._proposals[event.option_index])

    def _choose(self, proposal: Proposal) -> None:
        if proposal.is_folder:
            self._take(proposal)
        else:
            self.dismiss(self._host.expanded(proposal.text).absolute())

    def _take(self, proposal: Proposal) -> None:
        field = self.query_one(Input)
        field.value = proposal.text
        field.cursor_position = len(proposal.text)


async def ask_path(context: AccountContext, title: str, *, enter: str = "Attach") -> Path | None:
    """Ask for a file; None for Esc. Raises ConfigError where the program runs on a shared host."""
    host_of(context.app).require("files")
    return await context.ask(PathPrompt(title, enter=enter))
