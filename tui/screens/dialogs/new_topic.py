"""Naming a topic of a channel, with those that are there to choose from."""

from collections.abc import Sequence

from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser


def topic_chooser(channel: str, topics: Sequence[str], *, unnamed: str | None) -> Chooser[str]:
    """Dismissed with the topic's name; what is typed and found nowhere is a new one.

    `unnamed` is what the topic without a name is called, None where there may be none.
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
