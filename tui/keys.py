"""Every action and its key, in one table: help, the palette and remapping read it. No Textual widgets."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from textual.binding import Binding


@dataclass(frozen=True, slots=True)
class Action:
    """Something the person can do: `id` is what `config.toml` remaps, `keys` are comma-separated."""

    id: str
    keys: str
    action: str
    """Textual's action string, run on the widget, screen or app whose table it stands in."""
    label: str
    """Footer text, a word or two."""
    help: str
    """One sentence for the help screen and the palette."""
    show: bool = False
    """Whether the footer shows it."""

    def binding(self) -> Binding:
        """The same as Textual wants it."""
        return Binding(
            self.keys, self.action, self.label, show=self.show, id=self.id, tooltip=self.help
        )


def bindings(actions: tuple[Action, ...], *, priority: bool = False) -> list[Binding]:
    """A widget's `BINDINGS` from its table; with priority they come before the focused widget's."""
    return [replace(action.binding(), priority=priority) for action in actions]


APPLICATION: Final = (
    Action("app.palette", "ctrl+p", "palette", "Commands", "Everything one can do, by name."),
    Action("app.accounts", "alt+0", "accounts", "Switch organisation", "Go to another organisation, add one, or sign out of this one."),
    Action("app.everywhere", "alt+n", "everywhere", "Unread everywhere", "What is unread in all organisations, in one list."),
    *(
        Action(f"app.account_{at}", f"alt+{at}", f"show_account({at})", f"Organisation {at}", f"Go to the organisation that was added as number {at}.")
        for at in range(1, 10)
    ),
    Action("app.settings", "alt+c", "settings", "Settings", "Colours, clock, density, notifications and more, on this machine."),
    Action("app.keys", "alt+k", "keys", "Keys", "Give actions other keys."),
    Action("app.quit", "ctrl+q", "quit", "Quit", "Leave Chinwag; what you are writing is kept."),
)  # fmt: skip
"""Actions of the application, also while something is being asked."""

CONVERSATION: Final = (
    Action("app.jump", "ctrl+k", "jump", "Jump", "Jump to any channel, topic, person or view.", True),
    Action("app.next_unread", "n,alt+a,ctrl+n", "next_unread", "Next unread", "Go to the next conversation with unread messages.", True),
    Action("app.next_direct", "N,alt+m", "next_unread(True)", "Next direct message", "Go to the next direct conversation with unread messages."),
    Action("app.back", "alt+left,alt+s", "back", "Back", "Go back to the conversation before this one."),
    Action("app.forward", "alt+right", "forward", "Forward", "Go forward again."),
    Action("app.sidebar", "ctrl+b,f2", "toggle_sidebar", "Channels", "Show or hide the list of conversations."),
    Action("app.people", "ctrl+o,f3", "toggle_people", "People", "Show or hide the list of people."),
    Action("app.focus_next", "tab", "focus_pane(1)", "Next pane", "Move between channels, messages and composer."),
    Action("app.focus_previous", "shift+tab", "focus_pane(-1)", "Previous pane", "The same, backwards."),
    Action("app.write", "c", "write", "Write", "Start writing in this conversation.", True),
    Action("app.new_message", "ctrl+t", "new_message", "New topic", "Write to another channel, topic or person.", True),
    Action("app.attach", "alt+u", "writing('attach')", "Attach", "Send a file and put a link to it into what you write."),
    Action("app.cancel", "alt+x", "writing('cancel')", "Cancel file", "Stop a file that is on its way, up or down."),
    Action("app.later", "alt+l", "writing('later')", "Send later", "Send what you write at a time: 18:30, tomorrow 9, +2h."),
    Action("app.waiting", "f10", "writing('waiting')", "Waiting", "Messages to be sent later, and reminders."),
    Action("app.snippets", "alt+i", "writing('snippets')", "Snippets", "Insert a saved piece of text, save one, or change one."),
    Action("app.preview", "alt+r", "writing('preview')", "Preview", "See what you write as the others will see it, above it and all the time; or no longer."),
    Action("app.call", "alt+v", "writing('call')", "Video call", "Make a place to meet by video, and put a link to it into what you write."),
    Action("app.status", "alt+w", "writing('status')", "Status", "Say what you are up to: a few words and an emoji beside your name."),
    Action("app.search", "slash,ctrl+f", "search", "Search", "Search messages, with operators such as sender: and has:link.", True),
    Action("app.inbox", "f4", "open_view('inbox')", "Inbox", "What is unread: direct messages and mentions first, with their first lines."),
    Action("app.recent", "alt+t", "open_view('recent')", "Recent", "Conversations by what was said last, read or not."),
    Action("app.combined", "f5", "open_view('all')", "All messages", "Everything in the channels you follow, in one feed."),
    Action("app.mentions", "f6", "open_view('mentions')", "Mentions", "Messages that mention you."),
    Action("app.starred", "f7", "open_view('starred')", "Starred", "Messages you starred."),
    Action("app.drafts", "f8", "open_view('drafts')", "Drafts", "What you wrote and did not send."),
    Action("app.channels", "f9", "open_view('browse')", "All channels", "Find, join, leave and make channels."),
    Action("app.mark_conversation_read", "ctrl+r", "place('read')", "Mark read", "Mark everything in this conversation as read."),
    Action("app.follow", "F", "place('follow')", "Follow", "Follow this topic, or no longer."),
    Action("app.mute", "M", "place('mute')", "Mute", "Mute this topic, channel or person, or take that back."),
    Action("app.pin", "P", "place('pin')", "Pin", "Show this channel above the others, or no longer."),
    Action("app.about", "I", "place('info')", "About", "What this channel, topic or person is; who is in it, how you hear it."),
    Action("app.person", "alt+p", "place('person')", "Person", "Who somebody is, and when they were here."),
    Action("app.keep", "K", "place('keep')", "Keep view", "Give the search or place that is open a name: it stands in the list then. Or change that."),
    Action("app.day", "g", "place('day')", "Go to day", "Go to a day of what is open: yesterday, monday, 3 nov, 2w."),
    Action("app.first_unread", "U", "place('first_unread')", "First unread", "Go to the oldest unread message of what is open."),
    Action("app.undo", "ctrl+z", "place('undo')", "Undo", "Take back what was just sent and is held, marked as read, moved, muted, followed or pinned."),
    Action("app.organisation", "alt+o", "organisation", "Organisation", "People, groups, bots, invitations, channels and settings of the organisation."),
    Action("app.help", "f1,question_mark", "help", "Help", "What every key does, here and elsewhere.", True),
)  # fmt: skip
"""Actions of the main screen."""

MESSAGE: Final = (
    Action("message.reply", "r", "act('reply')", "Reply", "Reply in this message's conversation; on a message that was not sent: try again.", True),
    Action("message.quote", "greater_than_sign", "act('quote')", "Quote", "Reply, quoting the message."),
    Action("message.react", "plus,colon", "act('react')", "React", "Add a reaction, or take yours back.", True),
    Action("message.agree", "equals_sign", "act('agree')", "Agree", "Add the first reaction too, or take yours back."),
    Action("message.edit", "e", "act('edit')", "Edit", "Edit the message.", True),
    Action("message.delete", "d", "act('delete')", "Delete", "Delete the message, after a question.", True),
    Action("message.discard", "x", "act('discard')", "Discard", "Throw away a message that was not sent.", True),
    Action("message.star", "asterisk", "act('star')", "Star", "Star the message, or unstar it."),
    Action("message.unread", "u", "act('unread')", "Unread from here", "Mark this message and those after it as unread."),
    Action("message.open", "enter", "act('open')", "Open", "Go to the conversation of this message; there: start writing."),
    Action("message.links", "o", "act('links')", "Links", "Open a link of the message, after showing where it leads.", True),
    Action("message.spoiler", "s", "act('spoiler')", "Spoiler", "Show or hide the message's spoilers.", True),
    Action("message.vote", "v", "act('vote')", "Vote", "Vote in a poll, tick a task of a to-do list, or add to them.", True),
    Action("message.copy", "y", "act('copy')", "Copy", "Copy the message's text."),
    Action("message.picture", "z", "act('picture')", "Picture", "See the message's pictures as large as the terminal allows.", True),
    Action("message.save", "a", "act('save')", "Save file", "Fetch a file of the message into the downloads folder.", True),
    Action("message.forward", "f", "act('forward')", "Forward", "Quote the message in another conversation."),
    Action("message.remind", "l", "act('remind')", "Remind", "Be reminded of the message later."),
    Action("message.move", "m", "act('move')", "Move", "Move the message, it and those after it, or its topic, to another topic or channel."),
    Action("message.resolve", "t", "act('resolve')", "Resolve topic", "Mark the message's topic as resolved, or open it again."),
    Action("message.report", "R", "act('report')", "Report", "Tell the moderators about the message."),
    Action("message.sender", "p", "act('sender')", "Sender", "Who wrote the message."),
    Action("message.info", "i", "act('info')", "Info", "Who reacted and read it, what it was before, its source and its link."),
)  # fmt: skip
"""Actions on the selected message."""

SIDEBAR: Final = (
    Action("sidebar.filter", "slash", "screen.filter_sidebar", "Filter", "Type to see fewer channels, topics and people.", True),
    Action("sidebar.all", "escape", "screen.show_all", "Show all", "Show all of them again; or go back to the messages.", True),
)  # fmt: skip
"""Actions in the list of conversations."""

OVERVIEW: Final = (
    Action("overview.read", "r", "screen.place('read')", "Mark read", "Mark the conversation under the cursor as read.", True),
    Action("overview.mute", "m", "screen.place('mute')", "Mute", "Mute it, or take that back.", True),
    Action("overview.follow", "f", "screen.place('follow')", "Follow", "Follow the topic, or no longer.", True),
)  # fmt: skip
"""Actions in the inbox and among the recent conversations."""

COMPOSER: Final = (
    Action("composer.send", "enter", "send", "Send", "Send the message.", True),
    Action("composer.newline", "alt+enter,shift+enter,ctrl+j", "newline", "New line", "Make a new line.", True),
    Action("composer.leave", "escape", "leave", "Messages", "Leave the composer; what you wrote is kept.", True),
    Action("composer.preview_up", "ctrl+pageup", "turn_preview(-1)", "Preview up", "Scroll the preview."),
    Action("composer.preview_down", "ctrl+pagedown", "turn_preview(1)", "Preview down", "The same, downwards."),
    Action("composer.editor", "alt+e", "editor", "Editor", "Write in your $EDITOR."),
)  # fmt: skip
"""Actions while writing."""

_READABLE: Final = {
    "greater_than_sign": ">", "plus": "+", "colon": ":", "asterisk": "*", "slash": "/",
    "question_mark": "?", "equals_sign": "=", "escape": "Esc", "enter": "Enter", "tab": "Tab",
    "left": "←", "comma": ",", "right": "→", "up": "↑", "down": "↓",
}  # fmt: skip


NO_KEY: Final = "none"
"""In the place of keys: the action has none."""


def keymap(chosen: Mapping[str, str], *, enter_sends: bool) -> dict[str, str]:
    """Keys by the ids of actions, where they are not those of the tables."""
    if enter_sends:
        return dict(chosen)
    return {"composer.send": "alt+enter,shift+enter", "composer.newline": "enter,ctrl+j"} | dict(
        chosen
    )


def key_names(named: str) -> str:
    """`ctrl+k,f1` as people write it: `Ctrl+K F1`."""
    return " ".join(key_name(key.strip()) for key in named.split(","))


def key_name(key: str) -> str:
    """One key, `ctrl+k` as `Ctrl+K`."""
    *modifiers, last = key.split("+")
    readable = _READABLE.get(last) or (last.upper() if modifiers or len(last) > 1 else last)
    return "+".join([*(each.capitalize() for each in modifiers), readable])
