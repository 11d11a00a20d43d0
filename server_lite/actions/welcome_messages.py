"""Texts of the tour in a new organization: topics, oldest first. Text only."""

from typing import Final

CHANNEL: Final = "welcome"
DESCRIPTION: Final = "Where everyone starts. A good place to try things out."

TOUR: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    (
        "4. make it yours",
        (
            "Every command has a key, **F1** lists them, and you can change any of them.\n\n"
            "Some to begin with:\n"
            "* `/` searches all messages, `Ctrl+P` finds a command by its name.\n"
            "* `F5` shows all messages in one feed, `F6` those that mention you.\n"
            "* `Ctrl+B` hides the list on the left, `Ctrl+O` shows people on the right.",
            "Invite colleagues with a link: press `Ctrl+G o` and choose *Invitations*. It shows the"
            " command that they run. A server started with `make run` or `chinwag local` can be"
            " reached from this machine only, until its owner opens it to others.",
        ),
    ),
    (
        "3. messages",
        (
            "Select a message with the arrow keys. Then\n"
            "* `+` reacts to it. Try it on this one.\n"
            "* `>` quotes it in a reply, `e` edits one of your own.\n"
            "* `*` stars it, and `F7` brings you back to it.\n"
            "* `u` marks it and all later messages as unread.",
            "Messages are written in Markdown: **bold**, *italic*, `code`, [links]"
            "(https://commonmark.org/help/), lists, tables, quotes and\n"
            "```python\n"
            'print("highlighted code")\n'
            "```\n"
            "```spoiler What is hidden here? Press s\nA surprise.\n```",
        ),
    ),
    (
        "2. topics",
        (
            "A channel is a subject, and a **topic** in it is one conversation. Several can go on at"
            " once without getting into each other's way, and each can be read from its start a"
            " month later.",
            "You are in one of four topics of this channel; they are in the list on the left."
            " `Ctrl+N` goes to the next unread one.",
            "To start a topic of your own: `Ctrl+T`, then a channel, a topic and your message.",
        ),
    ),
    (
        "1. start here",
        (
            "Welcome! This is a chat for teams. Every message belongs to a channel and a topic.",
            "Press `c` to write, say hello, and send it with `Enter`. `Escape` brings you back to"
            " the messages; your draft is kept.",
            "`Ctrl+K` goes anywhere: type a few letters of a channel, a topic or a person."
            " `F1` lists all keys.",
            "Now press `Ctrl+N`: there is more to read in the next topic.",
        ),
    ),
)
