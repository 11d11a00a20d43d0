"""The composition root: settings, account and screens become one application. No chat logic.

What the screens need is imported when one is opened, so that the first frame waits for none of it.
"""

import gc
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from tui import accounts, themes
from tui.config import Folders, Settings
from tui.errors import ConfigError
from tui.screens.opening import Opening


class ChinwagApp(App[None]):
    """Chinwag in a terminal. Starts in the account of `zuliprc`, or asks how to sign in."""

    TITLE = "Chinwag"
    ENABLE_COMMAND_PALETTE = False  # `palette` has every action with its key
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", show=False, id="app.quit", priority=True),
        Binding("ctrl+p", "palette", "Commands", show=False, id="app.palette", priority=True),
    ]

    def __init__(
        self,
        *,
        folders: Folders,
        settings: Settings,
        zuliprc: Path | None,
        narrow: str | None = None,
    ) -> None:
        super().__init__()
        self.folders = folders
        self.settings = settings
        self._zuliprc = zuliprc
        self._narrow = narrow
        for theme in themes.ALL:
            self.register_theme(theme)
        self.theme = settings.theme if settings.theme in self.available_themes else "chinwag-dark"
        self.set_keymap(settings.keys)

    def compose(self) -> ComposeResult:
        yield Opening()

    def on_mount(self) -> None:
        if self._zuliprc is None:
            self._begin()
        else:
            self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.open_account(self._zuliprc)
        gc.freeze()  # what was loaded stays: later collections need not look at it

    def open_account(self, zuliprc: Path | None) -> None:
        """Show the account's conversations, or the sign-in screen where that cannot be."""
        if zuliprc is None:
            self.ask_to_sign_in("")
            return
        try:
            account = accounts.read_zuliprc(zuliprc)
        except ConfigError as error:
            self.ask_to_sign_in(str(error))
            return
        accounts.remember(self.folders, zuliprc)
        self._open(account)

    def ask_to_sign_in(self, trouble: str) -> None:
        """The first screen again, with a sentence why."""
        from tui.screens.sign_in import SignInScreen

        self.push_screen(SignInScreen(self.folders, trouble=trouble), self._signed_in)

    def _signed_in(self, zuliprc: Path | None) -> None:
        if zuliprc is not None:
            self.open_account(zuliprc)

    def _open(self, account: accounts.Account) -> None:
        """Switch to the conversations of an account."""
        from tui.screens.main import MainScreen
        from tui.screens.session import open_session

        opens = partial(open_session, account, self.folders)
        screen = MainScreen(opens, self.settings, start=self._narrow)
        self.push_screen(screen, self._signed_out)

    def _signed_out(self, sentence: str | None) -> None:
        self.ask_to_sign_in(sentence or "")

    async def action_quit(self) -> None:
        """End, with what is being written on disk."""
        from tui.screens.main import MainScreen

        for screen in self.screen_stack:
            if isinstance(screen, MainScreen):
                screen.keep_draft()
        self.exit()

    def action_palette(self) -> None:
        """Everything one can do, unless something is being asked already."""
        from tui.screens.main import MainScreen

        if not isinstance(self.screen, ModalScreen):
            self._run_palette(in_account=isinstance(self.screen, MainScreen))

    @work
    async def _run_palette(self, *, in_account: bool) -> None:
        from tui.screens import palette

        await palette.choose_and_run(self, self.settings.keys, in_account=in_account)

    def action_use_theme(self, name: str) -> None:
        """Other colours, until the end; `config.toml` says which to begin with."""
        self.theme = name
