"""Every action and its key, in one table: help, the palette and remapping read it. No Textual widgets."""

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Final, Protocol

from textual.binding import Binding

from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Action:
    """An action of the user: `id` is its name in `config.toml`, `keys` are comma-separated."""

    id: str
    keys: str
    action: str
    """Textual's action string, run on the widget, screen or app that has the table."""
    label: str
    """Footer text, a word or two."""
    help: str
    """One sentence for the help screen and the palette."""
    show: bool = False
    """Whether the footer shows it."""

    def binding(self) -> Binding:
        """Return Textual's binding."""
        return Binding(
            self.keys, self.action, self.label, show=self.show, id=self.id, tooltip=self.help
        )


def bindings(actions: tuple[Action, ...], *, priority: bool = False) -> list[Binding]:
    """Return a widget's `BINDINGS` from its table; with priority they come before the focused widget's."""
    return [replace(action.binding(), priority=priority) for action in actions]


NO_KEY: Final = "none"
"""In the place of keys: the action has none."""
LEADER: Final = "leader"
PREFIXES: Final[Mapping[str, str]] = {LEADER: "ctrl+g", "go": "g", "view": "none"}
"""Keys that begin a sequence: `leader+c` in the tables is Ctrl+G, then c."""

APPLICATION: Final = (
    Action("app.palette", "ctrl+p", "palette", "Commands", "Search all commands by name."),
    Action("app.accounts", "alt+0", "accounts", "Switch organization", "Switch to another organization, add one, or sign out."),
    Action("app.everywhere", "alt+n", "everywhere", "Unread everywhere", "Unread conversations in all organizations."),
    *(
        Action(f"app.account_{at}", f"alt+{at}", f"show_account({at})", f"Organization {at}", f"Go to organization {at}. New ones are numbered last; no number changes.")
        for at in range(1, 10)
    ),
    Action("app.leader", PREFIXES[LEADER], "prefix('leader')", "More", "Start a key sequence: a list shows the next keys. Works where Alt does not."),
    Action("app.settings", "alt+c", "settings", "Settings", "Colors, clock, density, notifications and more, on this machine."),
    Action("app.keys", "alt+k", "keys", "Keys", "Change key bindings."),
    Action("app.quit", "ctrl+q", "quit", "Quit", "Quit Chinwag. Your drafts are saved."),
)  # fmt: skip
"""Actions of the application, also while a dialog is open."""

CONVERSATION: Final = (
    Action("app.jump", "ctrl+k", "jump", "Jump", "Jump to any channel, topic, person or view.", True),
    Action("app.next_unread", "n,ctrl+n,alt+a", "next_unread", "Next unread", "Go to the next conversation with unread messages.", True),
    Action("app.next_direct", "N,alt+m", "next_unread(True)", "Next direct message", "Go to the next direct conversation with unread messages."),
    Action("app.back", "alt+left,alt+s", "back", "Back", "Go back to the previous conversation."),
    Action("app.forward", "alt+right", "forward", "Forward", "Go forward again."),
    Action("app.go_to_sent", "alt+g", "go_to_sent", "Go to sent", "Open the conversation of the message you sent last."),
    Action("app.sidebar", "ctrl+b,f2", "toggle_sidebar", "Channels", "Show or hide the sidebar."),
    Action("app.people", "ctrl+o,f3", "toggle_people", "People", "Show or hide the people list."),
    Action("app.focus_next", "tab", "focus_pane(1)", "Next pane", "Move to the next pane: sidebar, messages, composer."),
    Action("app.focus_previous", "shift+tab", "focus_pane(-1)", "Previous pane", "Move to the previous pane."),
    Action("app.write", "c", "write", "Write", "Start writing in this conversation.", True),
    Action("app.new_message", "ctrl+t", "new_message", "New topic", "Write to another channel, topic or person.", True),
    Action("app.attach", "alt+u", "writing('attach')", "Attach", "Attach a file to your message."),
    Action("app.paste_image", "alt+y", "writing('paste_image')", "Paste image", "Attach the image in the clipboard."),
    Action("app.cancel", "alt+x", "writing('cancel')", "Cancel transfer", "Cancel an upload or download."),
    Action("app.later", "alt+l", "writing('later')", "Send later", "Schedule your message: 18:30, tomorrow 9, +2h."),
    Action("app.scheduled", "f10", "writing('scheduled')", "Scheduled", "Scheduled messages and reminders."),
    Action("app.snippets", "alt+i", "writing('snippets')", "Snippets", "Insert, save or edit a snippet."),
    Action("app.preview", "alt+r", "writing('preview')", "Preview", "Show or hide the live preview."),
    Action("app.call", "alt+v", "writing('call')", "Video call", "Start a video call and insert its link."),
    Action("app.status", "alt+w", "writing('status')", "Status", "Set your status: a few words and an emoji beside your name."),
    Action("app.search", "slash,ctrl+f", "search", "Search", "Search messages; operators like sender: and has:link narrow it down.", True),
    Action("app.inbox", "f4,go+i", "open_view('inbox')", "Inbox", "Unread conversations, direct messages and mentions first."),
    Action("app.recent", "alt+t,go+r", "open_view('recent')", "Recent", "Recent conversations, read or unread."),
    Action("app.combined", "f5,go+a", "open_view('all')", "All messages", "All messages of your channels in one feed."),
    Action("app.mentions", "f6,go+m", "open_view('mentions')", "Mentions", "Messages that mention you."),
    Action("app.starred", "f7,go+s", "open_view('starred')", "Starred", "Messages you starred."),
    Action("app.drafts", "f8", "open_view('drafts')", "Drafts", "Unsent drafts."),
    Action("app.channels", "f9,go+c", "open_view('browse')", "All channels", "Browse, join, leave and create channels."),
    Action("app.mark_conversation_read", "ctrl+r", "place('read')", "Mark read", "Mark all messages of this conversation or search as read."),
    Action("app.star_all", NO_KEY, "place('star')", "Star all", "Star all messages of the open conversation or search, loaded or not."),
    Action("app.unstar_all", NO_KEY, "place('unstar')", "Unstar all", "Unstar all messages of the open conversation or search, loaded or not."),
    Action("app.follow", "F", "place('follow')", "Follow", "Follow or unfollow this topic."),
    Action("app.mute", "M", "place('mute')", "Mute", "Mute or unmute this topic, channel or person."),
    Action("app.pin", "P", "place('pin')", "Pin", "Pin or unpin this channel."),
    Action("app.about", "I", "place('info')", "About", "Details, members and notification settings."),
    Action("app.person", "alt+p", "place('person')", "Person", "Show a profile."),
    Action("app.keep", "K", "place('keep')", "Keep view", "Save this search or view to the sidebar, or edit it."),
    Action("app.go", PREFIXES["go"], "app.prefix('go')", "Go to", "Start a key sequence: the oldest message, a day, a view."),
    Action("app.view", PREFIXES["view"], "app.prefix('view')", "Place on screen", "Start a key sequence: where the selected message is on the screen."),
    Action("app.day", "go+d", "place('day')", "Go to day", "Go to a date: yesterday, monday, 3 nov, 2w."),
    Action("app.first_unread", "U", "place('first_unread')", "First unread", "Go to the oldest unread message."),
    Action("app.undo", "ctrl+z", "place('undo')", "Undo", "Undo the last send (while it waits), mark as read, move, mute, follow or pin."),
    Action("app.retry", "f12", "retry_connection", "Retry now", "Connect again at once while offline."),
    Action("app.organization", "alt+o", "organization", "Organization", "People, groups, bots, invitations, channels and settings of the organization."),
    Action("app.help", "f1,question_mark", "help", "Help", "Keyboard help.", True),
)  # fmt: skip
"""Actions of the account screen."""

MESSAGE: Final = (
    Action("message.reply", "r", "act('reply')", "Reply", "Reply in this conversation, or retry a failed message.", True),
    Action("message.quote", "greater_than_sign", "act('quote')", "Quote", "Reply, quoting the message."),
    Action("message.react", "plus,colon", "act('react')", "React", "Add or remove a reaction.", True),
    Action("message.agree", "equals_sign", "act('agree')", "Add first reaction", "Add or remove the first reaction."),
    Action("message.edit", "e", "act('edit')", "Edit", "Edit the message.", True),
    Action("message.delete", "d", "act('delete')", "Delete", "Delete the message (asks first).", True),
    Action("message.discard", "x", "act('discard')", "Discard", "Discard an unsent message.", True),
    Action("message.star", "asterisk", "act('star')", "Star", "Star or unstar the message."),
    Action("message.unread", "u", "act('unread')", "Unread from here", "Mark this message and all later ones as unread."),
    Action("message.open", "enter", "act('open')", "Open", "Open the message's conversation, or reply in it."),
    Action("message.links", "o", "act('links')", "Links", "Open a link (shows the address first).", True),
    Action("message.spoiler", "s", "act('spoiler')", "Spoiler", "Show or hide spoilers and the rest of a long message.", True),
    Action("message.vote", "v", "act('vote')", "Vote", "Vote in a poll, complete a task, or add one.", True),
    Action("message.copy", "y", "act('copy')", "Copy", "Copy the message's text."),
    Action("message.picture", "z", "act('picture')", "Picture", "View the message's images in full size.", True),
    Action("message.save", "a", "act('save')", "Save file", "Save an attachment to the downloads folder.", True),
    Action("message.forward", "f", "act('forward')", "Forward", "Forward the message to another conversation."),
    Action("message.remind", "l", "act('remind')", "Remind", "Set a reminder for the message."),
    Action("message.move", "m", "act('move')", "Move", "Move the message, it and later ones, or the whole topic."),
    Action("message.resolve", "t", "act('resolve')", "Resolve topic", "Resolve or unresolve the topic."),
    Action("message.report", "R", "act('report')", "Report", "Report the message to the moderators."),
    Action("message.sender", "p", "act('sender')", "Sender", "Show the sender's profile."),
    Action("message.info", "i", "act('info')", "Info", "Reactions, read receipts, edit history, source, link."),
)  # fmt: skip
"""Actions on the selected message."""

LISTS: Final = (
    Action("list.next", "j,down", "step(1)", "Next message", "Select the next message or line."),
    Action("list.previous", "k,up", "step(-1)", "Previous message", "Select the previous message or line."),
    Action("list.page_down", "pagedown", "page(1)", "Page down", "Scroll down by a screen."),
    Action("list.page_up", "pageup", "page(-1)", "Page up", "Scroll up by a screen."),
    Action("list.half_down", "ctrl+d", "page(1, 2)", "Half a page down", "Scroll down by half a screen."),
    Action("list.half_up", "ctrl+u", "page(-1, 2)", "Half a page up", "Scroll up by half a screen."),
    Action("list.line_down", "ctrl+down", "line(1)", "Line down", "Scroll down by a line."),
    Action("list.line_up", "ctrl+up", "line(-1)", "Line up", "Scroll up by a line."),
    Action("list.oldest", "home,go+g", "oldest", "Oldest loaded", "Go to the oldest loaded message or first line."),
    Action("list.newest", "end,G", "newest", "Newest", "Go to the newest message or last line."),
    Action("list.center", "view+z,go+z", "center", "Center", "Scroll the selected message to the middle of the screen."),
    Action("list.activate", "enter", "activate", "Open", "Open the selected message or line."),
)  # fmt: skip
"""Actions in every list."""

SIDEBAR: Final = (
    Action("sidebar.filter", "slash", "screen.filter_sidebar", "Filter", "Filter the sidebar.", True),
    Action("sidebar.next_unread", "right_square_bracket", "screen.unread_row(1)", "Next unread", "Select the next unread conversation."),
    Action("sidebar.previous_unread", "left_square_bracket", "screen.unread_row(-1)", "Previous unread", "Select the previous unread conversation."),
    Action("sidebar.wider", "greater_than_sign", "screen.widen_sidebar(2)", "Wider", "Widen the sidebar."),
    Action("sidebar.narrower", "less_than_sign", "screen.widen_sidebar(-2)", "Narrower", "Narrow the sidebar."),
    Action("sidebar.all", "escape", "screen.show_all", "Messages", "Clear the filter, or go back to the messages.", True),
)  # fmt: skip
"""Actions in the sidebar."""

OVERVIEW: Final = (
    Action("overview.read", "r", "screen.place('read')", "Mark read", "Mark the selected conversation as read.", True),
    Action("overview.mute", "m", "screen.place('mute')", "Mute", "Mute or unmute the selected conversation.", True),
    Action("overview.follow", "f", "screen.place('follow')", "Follow", "Follow or unfollow the selected topic.", True),
)  # fmt: skip
"""Actions in the inbox and among the recent conversations."""

COMPOSER: Final = (
    Action("composer.send", "enter", "send", "Send", "Send the message.", True),
    Action("composer.newline", "alt+enter,shift+enter,ctrl+j", "newline", "New line", "Insert a line break.", True),
    Action("composer.leave", "escape", "leave", "Messages", "Leave the composer. Your draft is saved.", True),
    Action("composer.preview_up", "ctrl+pageup", "turn_preview(-1)", "Preview up", "Scroll the preview up."),
    Action("composer.preview_down", "ctrl+pagedown", "turn_preview(1)", "Preview down", "Scroll the preview down."),
    Action("composer.editor", "alt+e", "editor", "Editor", "Edit the message in your $EDITOR."),
)  # fmt: skip
"""Actions in the composer."""

EDITING: Final = (
    Action("composer.undo", "ctrl+z", "undo", "Undo", "Undo typing."),
    Action("composer.redo", "ctrl+shift+z,alt+z", "redo", "Redo", "Redo typing."),
    Action("composer.delete_word_left", "ctrl+w,alt+backspace", "delete_word_left", "Cut word", "Cut the word before the cursor."),
    Action("composer.delete_word", "alt+d,ctrl+delete,alt+delete", "delete_word_right", "Cut next word", "Cut the word after the cursor."),
    Action("composer.delete_to_start", "ctrl+u", "delete_to_start_of_line", "Cut to line start", "Cut to the start of the line."),
    Action("composer.delete_to_end", "leader+delete", "delete_to_end_of_line", "Cut to line end", "Cut to the end of the line."),
    Action("composer.clear", "leader+backspace", "clear", "Clear", "Cut the whole message."),
    Action("composer.yank", "ctrl+y", "yank", "Paste cut text", "Insert the text you cut last."),
    Action("composer.word_left", "ctrl+left,alt+b", "cursor_word_left", "Word left", "Move a word to the left."),
    Action("composer.word_right", "ctrl+right,alt+f", "cursor_word_right", "Word right", "Move a word to the right."),
    Action("composer.to_start", "ctrl+home", "cursor_to_start", "Start", "Move to the start of the message."),
    Action("composer.to_end", "ctrl+end", "cursor_to_end", "End", "Move to the end of the message."),
)  # fmt: skip
"""Keys that edit text, as in a shell."""

_TABLES: Final = (
    APPLICATION, CONVERSATION, MESSAGE, LISTS, SIDEBAR, OVERVIEW, COMPOSER, EDITING,
)  # fmt: skip
PLACE: Final[Mapping[str, int]] = {
    action.id: place for table in _TABLES for place, action in enumerate(table)
}
"""An action's position in its table, by its ID."""

WIDE_HINTS: Final = (
    "message.quote", "message.forward", "message.star", "message.copy", "message.info",
    "sidebar.next_unread", "app.inbox", "app.people", "app.mark_conversation_read", "app.palette",
)  # fmt: skip
"""Actions that the footer shows too where the terminal is wide, the first ones first."""
WIDE_WRITING_HINTS: Final = (
    "app.attach", "app.later", "app.snippets", "app.preview", "composer.editor", "app.palette",
)  # fmt: skip
"""The same while the user writes a message."""

PRESETS: Final[Mapping[str, Mapping[str, str]]] = {
    "standard": {},
    "vim": {
        "app.write": "i,c",
        "app.focus_previous": "shift+tab,h",
        "app.focus_next": "tab,l",
        "app.back": "ctrl+o,alt+left,alt+s",
        "app.people": "f3",
        "app.undo": "ctrl+z,u",
        "app.view": "z",
        "message.info": "D",
        "message.picture": "view+o",
        "message.remind": "L",
        "message.unread": "go+u",
    },
}
"""Keys by action IDs that together replace those of the tables."""

_READABLE: Final = {
    "pageup": "PgUp", "pagedown": "PgDn", "home": "Home", "end": "End", "delete": "Delete",
    "backspace": "Backspace", "space": "Space", "insert": "Insert",
    "greater_than_sign": ">", "plus": "+", "colon": ":", "asterisk": "*", "slash": "/",
    "question_mark": "?", "less_than_sign": "<",
    "left_square_bracket": "[", "right_square_bracket": "]", "equals_sign": "=", "escape": "Esc", "enter": "Enter", "tab": "Tab",
    "left": "←", "comma": ",", "right": "→", "up": "↑", "down": "↓",
}  # fmt: skip


_MODIFIED: Final = frozenset(
    ["up", "down", "left", "right", "home", "end", "pageup", "pagedown", "insert", "delete"]
) | {f"f{number}" for number in range(1, 13)}
"""Keys that every terminal sends with their modifiers."""
_NEVER_WITH_CTRL: Final = frozenset("him")
"""With Ctrl these are Backspace, Tab and Enter."""


@dataclass(frozen=True, slots=True)
class Keyboard:
    """The keys that the terminal can send, and the user's prefixes.

    `exact`: it tells all keys apart. `alt_letters`: the user's setting that Escape and a letter in one burst
    are Alt with it. `prefixes`: the actual key, by the prefix in the tables. `keymap`: the actual keys by
    action IDs, where they differ from the tables.
    """

    exact: bool = True
    alt_letters: bool = False
    prefixes: Mapping[str, str] = field(default_factory=lambda: PREFIXES)
    keymap: Mapping[str, str] = field(default_factory=dict)

    def sends(self, key: str) -> bool:
        """Whether the key arrives unambiguously, in every terminal of this kind."""
        *modifiers, last = key.split("+")
        if modifiers and modifiers[0] in PREFIXES:
            return self.prefixes.get(modifiers[0]) != NO_KEY
        if self.exact or not modifiers or last in _MODIFIED or key == "shift+tab":
            return True
        if modifiers == ["alt"]:
            return self.alt_letters
        return (
            modifiers == ["ctrl"]
            and len(last) == 1
            and last.isalpha()
            and last not in _NEVER_WITH_CTRL
        )

    def prefix(self, key: str) -> str:
        """Return the prefix that the key begins; "" if none."""
        names = (name for name, keys in self.prefixes.items() if key in keys.split(","))
        return next(names, "")

    def ways(self, keys: Iterable[str]) -> list[str]:
        """Return the keys that the terminal sends; for Alt with a letter the leader and the letter."""
        spellings = [key if self.sends(key) else _after_leader(key) for key in keys]
        return list(dict.fromkeys(filter(None, spellings)))

    def names(self, named: str) -> str:
        """Return comma-separated keys as people write them, without those that do not arrive."""
        ways = self.ways(key.strip() for key in named.split(",") if key.strip() != NO_KEY)
        return "  ".join(map(self.name, ways))

    def name(self, key: str) -> str:
        """Return one key or sequence, `ctrl+k` as `Ctrl+K`, `leader+c` as `Ctrl+G c`."""
        prefix, _, last = key.partition("+")
        if last and prefix in PREFIXES:
            pressed = self.prefixes.get(prefix, PREFIXES[prefix]).split(",")[0]
            return f"{key_name(pressed)} {key_name(last)}"
        return key_name(key)

    def key(self, action_id: str) -> str:
        """Return the key of an action for a sentence: the first that arrives, or else its name among the
        commands.
        """
        action = next(each for table in _TABLES for each in table if each.id == action_id)
        named = self.keymap.get(action_id, action.keys)
        ways = self.ways(key.strip() for key in named.split(",") if key.strip() != NO_KEY)
        return self.name(ways[0]) if ways else f"“{action.label}” among the commands"


def _after_leader(key: str) -> str:
    """Return the sequence in place of a key that may not arrive; "" if there is none."""
    modifier, _, last = key.partition("+")
    return f"{LEADER}+{last}" if modifier == "alt" and len(last) == 1 else ""


def prefixes(chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the keys of the prefixes, with the user's own."""
    return {name: chosen.get(f"app.{name}", key) for name, key in PREFIXES.items()}


def keyboard_of(app: object) -> Keyboard:
    """Return the keyboard of an application; one that sends everything where it has none."""
    keyboard = getattr(app, "keyboard", None)
    return keyboard if isinstance(keyboard, Keyboard) else Keyboard()


def follows(prefix: str, key: str) -> str:
    """Return the key after the prefix for a key of the tables; "" if it does not begin with the prefix.

    Every letter that goes with Alt goes after the leader as well.
    """
    before, _, last = key.partition("+")
    is_alt = prefix == LEADER and before == "alt" and len(last) == 1
    return last if before == prefix or is_alt else ""


class KeySettings(Protocol):
    """The user's settings about keys."""

    @property
    def keys(self) -> Mapping[str, str]:
        """Keys by the IDs of actions."""

    @property
    def keys_preset(self) -> str:
        """A name in `PRESETS`."""

    @property
    def enter_sends(self) -> bool:
        """Whether Enter sends, or inserts a line break."""


def keymap(settings: KeySettings) -> dict[str, str]:
    """Return the keys by action IDs that differ from the tables."""
    keys_by_action = dict(PRESETS[settings.keys_preset])
    if not settings.enter_sends:
        keys_by_action["composer.send"] = "ctrl+s,ctrl+enter"
        keys_by_action["composer.newline"] = "enter,alt+enter,shift+enter,ctrl+j"
    return keys_by_action | dict(settings.keys)


def unknown_ids(chosen: Iterable[str]) -> list[str]:
    """Return a sentence for each unknown action ID in `[keys]`, with the nearest known one."""
    return [
        f"config.toml, [keys]: there is no action {each!r}.{_meant(each)}"
        for each in chosen
        if each not in PLACE
    ]


def _meant(unknown: str) -> str:
    from difflib import get_close_matches  # 5 ms of a start, for a rare typo

    near = get_close_matches(unknown, PLACE, n=1)
    return (
        f" Did you mean {near[0]!r}?" if near else " Keys, among the commands, lists all actions."
    )


def key_names(named: str) -> str:
    """Return `ctrl+k,f1` as people write it: `Ctrl+K F1`."""
    return " ".join(Keyboard().name(key.strip()) for key in named.split(","))


def character_of(key: str) -> str:
    """Return the character that a key types in a field; "" if none. Textual's own table lacks the slash and
    the plus.
    """
    character = key if len(key) == 1 else _READABLE.get(key, "")
    return character if len(character) == 1 and character.isascii() else ""


def key_name(key: str) -> str:
    """Return one key as people write it, `ctrl+k` as `Ctrl+K`."""
    *modifiers, last = key.split("+")
    readable = _READABLE.get(last) or (last.upper() if modifiers or len(last) > 1 else last)
    return "+".join([*(each.capitalize() for each in modifiers), readable])
