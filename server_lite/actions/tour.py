"""The words of the tour that a new organisation begins with: topics, oldest first. Text only."""

from typing import Final

CHANNEL: Final = "welcome"
DESCRIPTION: Final = "Where everybody starts. Try things out here; nobody minds."

TOUR: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    (
        "4. make it yours",
        (
            "Everything has a key, and **F1** lists them all. Any of them can be another one.\n\n"
            "Some to begin with:\n"
            "* `Ctrl+K` jumps to any channel, topic, person or view.\n"
            "* `/` searches everything that was ever said, `Ctrl+P` finds a command by its name.\n"
            "* `F5` shows all messages in one feed, `F6` those that mention you.\n"
            "* `Ctrl+B` hides the list on the left, `Ctrl+O` shows people on the right.",
            "Colleagues join by a link: `Alt+O`, then *Invitations*, makes one and shows the one"
            " command that they run. Until you let others in, this server answers on this machine"
            " only.",
        ),
    ),
    (
        "3. messages",
        (
            "Select a message with the arrow keys. Then\n"
            "* `+` reacts to it. Try it on this one.\n"
            "* `>` quotes it in a reply, `e` edits one of your own.\n"
            "* `*` stars it, and `F7` brings you back to it.\n"
            "* `u` makes everything from here on unread again.",
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
            " `Ctrl+N` goes to the next one with something unread, until all are read.",
            "To begin a topic of your own: `Ctrl+T`, then a channel, a topic and what you have to"
            " say.",
        ),
    ),
    (
        "1. start here",
        (
            "Welcome! This is a chat for a team, on a server that is yours. Nothing leaves it.",
            "Press `c` to write, say hello, and send it with `Enter`. `Escape` brings you back to"
            " the messages; what you have not sent is kept.",
            "Now press `Ctrl+N`: there is more to read in the next topic.",
        ),
    ),
)
