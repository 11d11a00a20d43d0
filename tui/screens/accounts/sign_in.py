"""The first screen: chat on this machine, or sign in to a server. Does not open accounts."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button, Input, Label, Static, TabbedContent, TabPane

from tui.accounts import Account, read_zuliprc
from tui.config import Folders
from tui.content.sanitize import sanitize_line
from tui.errors import TuiError
from tui.host import Host, host_of
from tui.screens.workers import CancelWorkersMixin
from tui.widgets.hint_line import HintLine
from tui.widgets.toggles import Checkbox

WORDMARK = "chinwag"
TAGLINE = "team chat with topics, in your terminal"

ABOUT_LOCAL = (
    "Start a server of your own on this machine, with a channel that shows you around. It keeps"
    " everything in one file, and others can join later.\n\n"
    "Already have a server? Use ← → to choose how to sign in.\n"
    "Invited? Run the command of your invitation: chinwag join LINK"
)
ABOUT_OTHERS = (
    "Sign in on a page in your browser (single sign-on), with a signed token or, on a development"
    " server, by name. The next step lists what the server offers."
)


class _Field(Input):
    """A field that leaves the arrow keys to the screen while it is empty: they choose the method."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key of the field has an effect."""
        if action in ("cursor_left", "cursor_right"):
            return bool(self.value)
        return super().check_action(action, parameters)


class SignInScreen(CancelWorkersMixin, Screen[Path]):
    """Dismissed with the zuliprc of the account that was signed in."""

    CSS = """
    SignInScreen { align: center middle; background: $background; }
    SignInScreen #card { width: 68; max-width: 100%; height: auto; max-height: 100%; padding: 1 3; background: $surface; }
    SignInScreen #tagline { color: $text-muted; margin-bottom: 1; }
    SignInScreen TabbedContent { height: auto; }
    SignInScreen TabPane { padding: 1 0 0 0; height: auto; }
    SignInScreen Input { border: none; padding: 0 1; height: 1; margin-bottom: 1; background: $background; }
    SignInScreen Input:focus { background: $foreground 13%; }
    SignInScreen Input:focus:ansi { background: $background; text-style: underline; }
    SignInScreen Label { color: $text-muted; }
    SignInScreen .site { color: $text-muted; margin-bottom: 1; }
    SignInScreen #about-others { margin-bottom: 1; }
    SignInScreen .buttons { height: auto; align-horizontal: right; margin-top: 1; }
    SignInScreen Button { min-width: 18; background: $foreground 13%; color: $foreground; }
    SignInScreen Button:ansi { background: $background; color: $foreground; text-style: bold; }
    SignInScreen Button:focus { background: $primary; color: $background; text-style: bold; background-tint: transparent; }
    SignInScreen Tabs:focus .-active { color: $primary; background: transparent; text-style: bold; }
    SignInScreen Underline > .underline--bar { color: $primary; background: $border; }
    SignInScreen #trouble { color: $error; height: auto; min-height: 1; margin-top: 1; }
    """

    is_signing_in = True
    """Tells the application to show no other account meanwhile."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help"),
        Binding("escape", "back", "Back"),
        Binding("ctrl+q", "app.quit", "Quit"),
        Binding("left", "turn(-1)", "Previous method", show=False),
        Binding("right", "turn(1)", "Next method", show=False),
    ]

    def __init__(
        self, folders: Folders, *, trouble: str = "", is_another: Callable[[], bool] = lambda: False
    ) -> None:
        """`trouble` is a sentence why the user has to sign in again, "" without a reason.

        `is_another`: whether there is an account to which Esc goes back.
        """
        super().__init__()
        self._folders = folders
        self._trouble = trouble
        self._is_another = is_another
        self._began = False

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="card"):
            yield Static(_headline(), id="tagline")
            with TabbedContent(id="ways", initial="password" if self._is_another() else ""):
                if self._host.can("programs"):
                    with TabPane("This machine", id="local"):
                        yield Static(ABOUT_LOCAL, markup=False)
                        yield from _buttons("Start chatting", "start-local")
                with TabPane("Password", id="password"):
                    yield from _fields("password", ("site", "email", "password"), self._host)
                    yield from _buttons("Sign in", "by-password")
                with TabPane("API key", id="key"):
                    yield from _fields("key", ("site", "email", "key"), self._host)
                    yield from _buttons("Sign in", "by-key")
                if self._host.can("files"):
                    with TabPane("zuliprc", id="zuliprc"):
                        yield from _fields("zuliprc", ("path",), self._host)
                        yield from _buttons("Sign in", "by-zuliprc")
                with TabPane("Other ways", id="others"):
                    yield Static(ABOUT_OTHERS, id="about-others", markup=False)
                    yield from _fields("others", ("site",), self._host)
                    yield from _buttons("Continue", "by-others")
            yield Static(id="trouble", markup=False)
        yield HintLine()

    @on(TabbedContent.TabActivated)
    def _turned(self, event: TabbedContent.TabActivated) -> None:
        """Keep what was typed for another method; focus the first one, once its button is there."""
        for name in ("site", "email"):
            typed = (each.value for each in self.query(_Field) if _is_for(each, name))
            for field in event.pane.query(_Field):
                if _is_for(field, name) and not field.value:
                    field.value = next(filter(None, typed), "")
        if not self._began:
            self._began = True
            first = self.query_one(TabbedContent).active_pane
            assert first is not None
            first.query("Input, Button").first().focus()

    def on_mount(self) -> None:
        """Show why the user has to sign in again."""
        self._tell(self._trouble)

    def action_turn(self, by: int) -> None:
        """Switch to the next or previous method, where the arrow keys have no other use; focus its first
        field.
        """
        ways = self.query_one(TabbedContent)
        panes = [pane.id for pane in ways.query(TabPane)]
        ways.active = panes[(panes.index(ways.active) + by) % len(panes)] or ""
        pane = ways.active_pane
        if pane is not None:
            pane.query("Input, Button").first().focus()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        """Go to the next field on Enter; sign in from the last."""
        pane = self.query_one(TabbedContent).active_pane
        assert pane is not None
        inputs = list(pane.query(Input))
        place = inputs.index(event.input)
        if place + 1 < len(inputs):
            inputs[place + 1].focus()
        else:
            pane.query_one(Button).press()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        ways: dict[str | None, Callable[[], Awaitable[Path | None]]] = {
            "start-local": self._local,
            "by-password": self._by_password,
            "by-key": self._by_key,
            "by-zuliprc": self._by_zuliprc,
            "by-others": self._by_others,
        }
        self._sign_in(ways[event.button.id], event.button)

    @work(exclusive=True)
    async def _sign_in(self, way: Callable[[], Awaitable[Path | None]], button: Button) -> None:
        self._tell("")
        button.loading = True
        try:
            path = await way()
        except TuiError as error:
            self._tell(str(error))
        else:
            if path is not None:
                self.dismiss(path)
        finally:
            if button.is_attached:  # the program may be ending
                button.loading = False

    async def _local(self) -> Path:
        from tui.commands import sign_in  # HTTP and pydantic wait until they are needed

        return await sign_in.local_zuliprc(self._folders, self._host)

    async def _by_password(self) -> Path:
        from tui.commands import sign_in

        account = await sign_in.by_password(
            self._site("password"),
            self._text("password-email"),
            self._text("password-password"),
            allow_http=self._checked("password"),
        )
        return await self._keep(account)

    async def _by_key(self) -> Path:
        from tui.commands import sign_in

        account = await sign_in.by_key(
            self._site("key"),
            self._text("key-email"),
            self._text("key-key"),
            allow_http=self._checked("key"),
        )
        return await self._keep(account)

    async def _by_zuliprc(self) -> Path:
        from tui.commands import sign_in

        account = read_zuliprc(self._host.expanded(self._text("zuliprc-path").strip()))
        return await self._keep(await sign_in.by_zuliprc(account))

    async def _by_others(self) -> Path | None:
        """Ask the server for its other methods and sign in by the chosen one; None if canceled."""
        from tui.commands import sign_in
        from tui.screens.accounts.sign_in_methods import OtherWays

        offer = await sign_in.ask(self._site("others"), allow_http=self._checked("others"))
        account = await OtherWays(self.app, offer).account()
        return None if account is None else await self._keep(account)

    async def _keep(self, account: Account) -> Path:
        from tui.commands import devices, sign_in

        path = sign_in.keep(self._folders, account)
        await devices.enrol(self._folders, account)
        return path

    @property
    def _host(self) -> Host:
        return host_of(self.app)

    def _site(self, way: str) -> str:
        """Return the address that was typed, or the host's only one."""
        return self._host.site or self._text(f"{way}-site")

    def _text(self, name: str) -> str:
        return self.query_one(f"#{name}", Input).value

    def _checked(self, way: str) -> bool:
        return bool(self._host.site) or self.query_one(f"#{way}-http", Checkbox).value

    def _tell(self, sentence: str) -> None:
        trouble = self.query_one("#trouble", Static)
        trouble.update(Content(sanitize_line(sentence)))
        if sentence:  # a long one may end below a small terminal
            self.call_after_refresh(trouble.scroll_visible, animate=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable Esc where there is no account to go back to."""
        if action == "back":
            return self._is_another()
        return super().check_action(action, parameters)

    def action_back(self) -> None:
        """Cancel signing in."""
        self.workers.cancel_node(self)
        self.dismiss()

    def action_help(self) -> None:
        self._tell("Tab next field · ← → sign-in method · Enter continue")


def _headline() -> Content:
    return Content.assemble((WORDMARK, "bold $primary"), f" · {TAGLINE}")


_LABELS = {
    "site": ("Server", "chat.example.com"),
    "email": ("Email", "you@example.com"),
    "password": ("Password", ""),
    "key": ("API key", ""),
    "path": ("File", "~/zuliprc"),
}


def _fields(way: str, names: tuple[str, ...], host: Host) -> ComposeResult:
    for name in names:
        if name == "site" and host.site:
            yield Static(f"Server: {sanitize_line(host.site)}", classes="site", markup=False)
            continue
        label, placeholder = _LABELS[name]
        yield Label(label, markup=False)
        yield _Field(
            placeholder=placeholder,
            password=name in ("password", "key"),
            id=f"{way}-{name}",
        )
    if "site" in names and not host.site:
        yield Checkbox("Connect without encryption (http://)", id=f"{way}-http")


def _is_for(field: Input, name: str) -> bool:
    return (field.id or "").endswith(f"-{name}")


def _buttons(label: str, button_id: str) -> ComposeResult:
    with Horizontal(classes="buttons"):
        yield Button(Content(label), variant="primary", id=button_id, compact=True)
