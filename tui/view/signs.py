"""The signs of the account screen and their meanings, for the help. Pure."""

from typing import Final

SIGNS: Final = (
    ("#  ◆", "A channel; a private channel."),
    ("⚑  ✔", "A topic you follow; a resolved topic."),
    ("●  ◐  ○", "Active, idle, offline."),
    ("⚙  ∴", "A bot; a direct conversation of several people."),
    ("7  @2", "7 unread messages; 2 of them mention you."),
    ("•  @", "An unread message; an unread message that mentions you."),
    ("▽  ↺  ≡", "Inbox, recent conversations, all messages."),
    ("★  ✎  ◷  ◇", "Starred, drafts, scheduled messages and reminders, saved views."),
)
"""Signs and their meanings."""
