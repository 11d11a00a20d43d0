"""Naming a topic of a channel, with its existing topics to choose from."""

from collections.abc import Sequence

from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser


def topic_chooser(channel: str, topics: Sequence[str], *, unnamed: str | None) -> Chooser[str]:
    """Return a chooser of a topic's name; typed text that matches none is a new topic.

    `unnamed` is the name shown for the empty topic, None where it is not allowed.
    """
    choices = [
        Choice(value=topic, label=topic, weight=1.0 / (at + 1))
        for at, topic in enumerate(topics)
        if topic
    ]
    if unnamed is not None:
        choices.append(Choice(value="", label=unnamed, detail="no topic"))
    return Chooser(
        f"Topic in {channel}",
        choices,
        hint="new or existing topic",
        nothing="Enter a topic.",
        made_of=lambda text: text or None,
    )
