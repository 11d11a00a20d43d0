"""The composition root: settings, accounts and screens become one application. No chat logic.

The screens' modules are imported when one is opened, so that the first frame waits for none of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from rich.console import RenderableType
from rich.text import Text
from textual import constants, events, work
from textual.app import App, ScreenStackError
from textual.binding import BindingType
from textual.driver import Driver
from textual.filter import LineFilter
from textual.notifications import SeverityLevel
from textual.screen import ModalScreen, Screen
from textual.theme import Theme
from textual.worker import NoActiveWorker, WorkerFailed, get_current_worker

from tui import accounts, bugs, crash_log, dispatch, frame_timer, frames, keys, pumps, themes
from tui.config import CONFIG, Folders, Settings, check
from tui.errors import ConfigError
from tui.failures import Failures, is_of_frame
from tui.garbage import Collector
from tui.host import LOCAL, Host
from tui.late_imports import made_cheaply
from tui.screens import skeleton, toasts
from tui.screens.pasted_keys import make_fit, take_burst
from tui.screens.type_ahead import Passed, TypeAhead
from tui.strips import use_less_memory
from tui.stylesheet import ParsedOnce
from tui.terminal import Terminal
from tui.widgets.control_character_filter import InertText
from tui.widgets.emoji_width_filter import SafeText
from tui.widgets.fewer_colors import FewerColors
from tui.widgets.key_sequences import ExactKeys, KeyStream
from tui.widgets.pastes import Burst, parsed, read_pastes
from tui.widgets.screen_reader_filter import PlainText

if TYPE_CHECKING:
    # Imported after the first frame.
    from tui.screens.accounts.accounts import Accounts

T = TypeVar("T")

ANIMATIONS: Final = constants.TEXTUAL_ANIMATIONS
"""The level of animations without the user's wish for fewer, from the environment."""
PAUSE_SECONDS = 0.1
"""Between the first account's screen and the others, so that it is drawn and usable first."""


class ChinwagApp(App[None]):
    """Chinwag in a terminal. Starts in the account of `zuliprc`, or asks how to sign in.

    `others` are the accounts that are opened beside it. None: it is the only one, and is not added to those
    that are opened at every start.
    """

    TITLE = "Chinwag"
    DEFAULT_MODE = "first"
    """Of the account that a start opens: no other screen is made before it."""
    CSS = toasts.CSS
    ENABLE_COMMAND_PALETTE = False  # `palette` has every action with its key
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.APPLICATION, priority=True)]

    def __init__(
        self,
        *,
        folders: Folders,
        settings: Settings,
        zuliprc: Path | None,
        others: Sequence[Path] | None = None,
        narrow: str | None = None,
        terminal: Terminal | None = None,
        host: Host = LOCAL,
        troubles: Sequence[str] = (),
    ) -> None:
        """`troubles` are sentences about settings that cannot be used."""
        self._variables: tuple[Theme | None, dict[str, str]] = None, {}
        super().__init__()
        pumps.go_on_after_failures()
        dispatch.pass_over_what_does_nothing()
        frames.draw_what_changed()
        use_less_memory()
        frame_timer.draw_without_waking()
        self._crash_log = crash_log.CrashLog(folders.state, self._show_bug, host=host)
        self._garbage, self._has_begun = Collector(), False
        self._failures = Failures(self)
        read_pastes()
        self._is_opening = True
        self._trouble = "" if zuliprc is None else None
        """Why the user has to sign in, "" without an account; None if they have not."""
        self.type_ahead = TypeAhead(self, self._takes_keys)
        self.terminal = terminal or Terminal()
        self.keyboard = keys.Keyboard(exact=self.terminal.exact_keys)
        self._plain_text = PlainText(enabled=False)
        few = FewerColors(enabled=self.terminal.colors == "256")
        self._own_filters = (InertText(), SafeText(self.terminal.broken), self._plain_text, few)
        self.folders, self.host = folders, host
        self._zuliprc = zuliprc
        self._others = list(others or ())
        self._adds = others is not None
        self._narrow = narrow
        self._troubles = [*troubles, *themes.register(self, folders.config / "themes")]
        self._follow(settings)
        self.stylesheet = ParsedOnce(variables=self.get_css_variables())
        self.add_mode(self.DEFAULT_MODE, self._first_screen)

    @cached_property
    def accounts(self) -> Accounts:
        """The open accounts."""
        with made_cheaply():
            from tui.screens.accounts.accounts import Accounts

        return Accounts(self, self.folders, nobody_left=self.ask_to_sign_in, keep=self.change)

    def _first_screen(self) -> Screen[Any]:
        """Return the account's screen, or a blank one if the user has to sign in.

        Called when the terminal is set up: it shows the first frame while the screen's modules are imported.
        """
        if self._zuliprc is not None:
            skeleton.show(self)
            self.open_account(self._zuliprc, start=self._narrow)
            if self.accounts.all:
                return self.accounts.all[0].screen
        return Screen()

    def get_driver_class(self) -> type[Driver]:
        """Use the driver that ends the program with the terminal."""
        usual = super().get_driver_class()
        if usual.__name__ != "LinuxDriver":  # Windows, or what the environment names
            return usual
        from tui.driver import TerminalDriver

        return TerminalDriver

    def get_css_variables(self) -> dict[str, str]:
        """As Textual's, computed once for a theme, and none before it is known which one that is."""
        theme = self.current_theme if "settings" in vars(self) else None
        if theme is not self._variables[0]:
            self._variables = theme, super().get_css_variables()
        return self._variables[1]

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Add the filters that remove control characters and keep emoji in their cells, last of all."""
        filters = super().get_line_filters()
        return [*filters, *(each for each in self._own_filters if each.enabled)]

    # Keys

    async def on_event(self, event: events.Event) -> None:
        """Hold each key back until those before it have had their effect."""
        if isinstance(event, Passed):
            event.arrived()
            return
        is_input = isinstance(event, events.InputEvent | events.Paste) and not event.is_forwarded
        if not is_input:
            await super().on_event(event)
            return
        if self.type_ahead.defers(event):
            return
        if isinstance(event, Burst):
            take_burst(self, self.type_ahead, event)
            return
        make_fit(self, event)
        is_text = self.type_ahead.is_text(event)
        try:
            if isinstance(event, events.Key):
                await dispatch.press_key(self, event)
            else:
                await super().on_event(event)
        finally:
            self.type_ahead.went(event, is_text=is_text)

    def _takes_keys(self) -> bool:
        """Whether a screen takes keys yet: an account's has to be opened first."""
        try:
            screen = self.screen
        except ScreenStackError:
            return False
        return not self._is_opening and not getattr(screen, "is_opening", False)

    def on_exact_keys(self, event: ExactKeys) -> None:
        """Update the hints when the terminal reports late that it tells all keys apart."""
        event.stop()
        self.keyboard = replace(self.keyboard, exact=True)
        self.screen.refresh_bindings()

    def on_load(self) -> None:
        """Post the keys first that were typed before there was a screen."""
        self._crash_log.begin()
        for event in parsed(self.terminal.typed):
            self.post_message(event)

    def on_mount(self) -> None:
        driver = self._driver
        if self.terminal.modes is not None and driver is not None:
            # The terminal's original modes, not those in which it was queried.
            vars(driver)["attrs_before"] = self.terminal.modes
        if self.settings.theme not in self.available_themes:
            self._troubles.append(f"There is no theme {self.settings.theme!r}.")
        self._troubles += keys.unknown_ids(self.settings.keys)
        for sentence in self._troubles:
            self.notify(sentence, markup=False, timeout=10)
        if self._trouble is not None:
            self.ask_to_sign_in(self._trouble)
        self._is_opening = False
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self._has_begun = True
        self._garbage.begin()
        if self._others:
            self.set_timer(PAUSE_SECONDS, self._open_others)

    def _open_others(self) -> None:
        """Open the other accounts one by one, with pauses for keys and frames."""
        path = self._others.pop(0)
        try:
            account = accounts.read_zuliprc(path)
        except ConfigError as error:
            self.notify(str(error), markup=False, timeout=10)
        else:
            self.accounts.open(path, account, self.settings, show=False)
        if self._others:
            self.set_timer(PAUSE_SECONDS, self._open_others)

    def open_account(self, zuliprc: Path, *, start: str | None = None) -> None:
        """Show the account's conversations, or the sign-in screen where that fails."""
        try:
            account = accounts.read_zuliprc(zuliprc)
        except ConfigError as error:
            self.ask_to_sign_in(str(error))
            return
        if self._adds:
            try:
                accounts.add(self.folders, zuliprc)
            except ConfigError as error:  # it works for now, and is not opened by itself next time
                self.notify(str(error), markup=False, timeout=10)
        self.accounts.open(zuliprc, account, self.settings, show=True, start=start)

    def ask_to_sign_in(self, trouble: str) -> None:
        """Show the sign-in screen, with a sentence why; Esc goes back where there is an account."""
        if not self.screen_stack:
            self._trouble = trouble  # the first screen is not there yet
            return
        from tui.screens.accounts.sign_in import SignInScreen

        screen = SignInScreen(
            self.folders, trouble=trouble, is_another=lambda: bool(self.accounts.all)
        )
        self.push_screen(screen, self._signed_in)

    def _signed_in(self, zuliprc: Path | None) -> None:
        if zuliprc is None:
            if self.accounts.shown is None:
                self.call_later(self.accounts.show, self.accounts.all[0])
        else:
            self._adds = True
            self.call_later(self.open_account, zuliprc)  # when the sign-in screen is gone

    async def push_screen_wait(
        self, screen: Screen[T] | str, *, mode: str | None = None
    ) -> T | Any:
        """Show a dialog in the account that asks, even if another one is shown by now."""
        return await super().push_screen_wait(screen, mode=mode or self._mode_of_work())

    def _mode_of_work(self) -> str | None:
        try:
            node = get_current_worker().node
        except NoActiveWorker:
            return None
        if isinstance(node, App):
            return None
        screen = node if isinstance(node, Screen) else node.screen
        return self.accounts.mode_of(screen)

    def watch_app_focus(self, focus: bool) -> None:
        """Report messages as read when the terminal gets the focus."""
        if focus and "accounts" in self.__dict__:
            self.accounts.looked()

    def _refresh_notifications(self) -> None:
        """Show no toasts on a dialog that the screens below it, which are still in sight, show."""
        self.call_later(toasts.show_unseen, self)

    # Actions of `keys.APPLICATION`

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable actions of accounts while signing in, and all actions while a dialog waits for a key."""
        if getattr(self.screen, "takes_any_key", False):
            return False
        if action == "show_account" and parameters[0] not in range(1, len(self.accounts.all) + 1):
            return False
        if action in ("accounts", "everywhere", "show_account", "palette"):
            return not getattr(self.screen, "is_signing_in", False)
        return super().check_action(action, parameters)

    async def action_prefix(self, prefix: str) -> None:
        """List the keys after a prefix of `keys.PREFIXES`, and run the chosen action."""
        from tui.screens.dialogs.prefix import ask

        if not isinstance(self.screen, ModalScreen):
            await ask(self, prefix)

    async def action_quit(self) -> None:
        """Quit, with the drafts saved; ask first if the disk does not take one."""
        if "accounts" not in self.__dict__ or self.accounts.may_quit():
            self.leave(0)

    def action_help_quit(self) -> None:
        """Say how to quit; Ctrl+C does it where there is nothing to copy."""
        key = keys.keymap(self.settings).get("app.quit", "ctrl+q")
        self.notify(f"Press {keys.key_names(key)} to quit.", markup=False)

    def leave(self, status: int) -> None:
        """Exit with this status, with the drafts saved."""
        if "accounts" in self.__dict__:
            try:
                self.accounts.keep_drafts()
            except Exception as error:  # noqa: BLE001  # a bug, and still the end
                bugs.report(error, "Saving drafts")
        self.exit(return_code=status)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """As Textual's, but a sentence that is still shown is shown once, for longer."""
        for shown in [each for each in self._notifications if each.message == message]:
            self._unnotify(shown, refresh=False)
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=markup)

    # Failures

    def on_unmount(self) -> None:
        """Stop listening for bugs and collections."""
        self._crash_log.end()
        self._garbage.end()

    def _show_bug(self, sentence: str) -> None:
        self.notify(sentence, severity="error", markup=False, timeout=15)

    def _handle_exception(self, error: Exception) -> None:
        """Handle an error of anything that Textual runs: handlers, workers, timers, frames.

        A bug is reported and the program goes on. Where it cannot, drafts are saved first.
        """
        failed = error.error if isinstance(error, WorkerFailed) else error
        assert isinstance(failed, Exception)
        goes_on = self._has_begun and self._exception is None and self._failures.can_go_on(failed)
        if not goes_on:
            self._crash(failed)
            return
        if is_of_frame(failed):
            doing = "Drawing the screen"
        else:
            doing = "A background task" if failed is not error else "The last action"
        bugs.report(failed, doing)
        self._failures.close_dialog()

    def _crash(self, error: Exception) -> None:
        """Save the drafts, log the bug, and end the program."""
        if self._exception is None:
            with suppress(Exception):  # the broken part may be just that
                if "accounts" in self.__dict__:
                    self.accounts.keep_drafts()
            sentence = crash_log.crashed(self.folders.state, error, self.host)
            self.error_console.soft_wrap = True  # the log's path in one piece: it is copied
            self._exit_renderables.append(Text(sentence))
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        self._close_messages_no_wait()

    def panic(self, *renderables: RenderableType) -> None:  # noqa: ARG002  # Textual's signature
        """End without a traceback on the screen: it is in the log."""
        if not self._exit_renderables:
            self._exit_renderables.append(Text("Chinwag crashed."))
        self._close_messages_no_wait()

    def action_palette(self) -> None:
        """Open the command palette, unless a dialog is open."""
        if not isinstance(self.screen, ModalScreen):
            self._run_palette()

    @work
    async def _run_palette(self) -> None:
        from tui.screens import palette
        from tui.screens.account_screen import AccountScreen

        in_account = isinstance(self.screen, AccountScreen)
        await palette.choose_and_run(self, self.settings.keys, in_account=in_account)

    def action_show_account(self, at: int) -> None:
        """Switch to an account, counted from 1."""
        self.accounts.show_account(at - 1)

    @work(exclusive=True, group="accounts")
    async def action_accounts(self) -> None:
        """Open the list to choose an account, add one, or sign out."""
        from tui.screens.accounts import switching

        if not isinstance(self.screen, ModalScreen):
            await switching.choose(self.accounts, self)

    @work(exclusive=True, group="accounts")
    async def action_account(self, act: str) -> None:
        """Sign the shown account out ("sign_out"), or regenerate its API key ("new_key")."""
        from tui.screens.accounts import switching

        current = self.accounts.shown
        if current is not None and not isinstance(self.screen, ModalScreen):
            ends = switching.new_key if act == "new_key" else switching.sign_out
            await ends(self.accounts, current, self)

    @work(exclusive=True, group="accounts")
    async def action_everywhere(self) -> None:
        """Open the unread conversations of all accounts."""
        if not isinstance(self.screen, ModalScreen):
            await self.accounts.ask_unread()

    @work(exclusive=True, group="settings")
    async def action_settings(self) -> None:
        """Open the settings of this machine."""
        from tui.screens import local_settings

        if not isinstance(self.screen, ModalScreen):
            await local_settings.show(self)

    @work(exclusive=True, group="settings")
    async def action_keys(self) -> None:
        """Open the key bindings."""
        from tui.screens import remapping

        if not isinstance(self.screen, ModalScreen):
            await remapping.show(self)

    def action_use_theme(self, name: str) -> None:
        """Change the theme."""
        try:
            self.change("theme", name)
        except ConfigError as error:
            self.notify(str(error), markup=False, timeout=10)

    # Settings

    def change(self, name: str, value: str | int | bool | None) -> None:
        """Apply a setting at once and save it in `config.toml`; None for its default.

        Raises ConfigError if it is invalid, or cannot be saved; then it holds until the end.
        """
        from tui.config_file import save

        path = self.folders.config / CONFIG
        new_value = getattr(Settings(), name) if value is None else value
        check(str(path), name, new_value)
        changes: dict[str, Any] = {name: new_value}
        self._follow(replace(self.settings, **changes))
        save(path, (name,), value)

    def remap(self, changes: Mapping[str, str | None]) -> None:
        """Change and save the keys of actions; None for the default. Raises ConfigError."""
        from tui.config_file import save

        new_keys = {name: named for name, named in changes.items() if named is not None}
        kept = {name: named for name, named in self.settings.keys.items() if name not in changes}
        self._follow(replace(self.settings, keys=kept | new_keys))
        for name, named in changes.items():
            save(self.folders.config / CONFIG, ("keys", name), named)

    def _follow(self, settings: Settings) -> None:
        """Apply changed settings."""
        self.settings = settings
        theme = self.available_themes.get(settings.theme, themes.DARK)
        self.theme = themes.for_colors(theme, self.terminal.colors)
        self.animation_level = (
            "none" if settings.reduced_motion or settings.screen_reader else ANIMATIONS
        )
        self._plain_text.enabled = settings.screen_reader
        keymap = keys.keymap(settings)
        KeyStream.alt_letters = settings.alt_letters
        exact, chosen = self.keyboard.exact, keys.prefixes(keymap)
        self.keyboard = keys.Keyboard(exact, settings.alt_letters, chosen, keymap)
        self.set_keymap(keymap)
        if "accounts" in self.__dict__:
            self.accounts.apply(settings)
