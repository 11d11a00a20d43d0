"""The sections of channels in the sidebar: pinned ones, those of each folder, and the others. Pure."""

from collections.abc import Iterable
from typing import TypeAlias

from tui.api.model import ChannelFolder, ChannelId, Subscription
from tui.content.sanitize import sanitize_line
from tui.store.store import Store
from tui.view.sidebar_rows import Section

Rank: TypeAlias = tuple[int, int, int]
"""Where a section stands among those of channels."""


def section_of(store: Store, channel: Subscription) -> Section:
    """Return the section that lists a channel; pinned ones are in no folder."""
    if channel.pin_to_top:
        return "pinned"
    folder = folder_of(store, channel)
    return "channels" if folder is None else f"folder-{folder.id}"


def folder_of(store: Store, channel: Subscription) -> ChannelFolder | None:
    """Return the folder of a channel; None if it is in none, or in an archived one."""
    folder = store.folders.by_id.get(channel.folder_id) if channel.folder_id else None
    return None if folder is None or folder.is_archived else folder


def rank(store: Store, channel: Subscription | None) -> Rank:
    """Return the place of the channel's section: pinned ones first, then folders in the organization's order."""
    folder = None if channel is None else folder_of(store, channel)
    if channel is not None and channel.pin_to_top:
        return 0, 0, 0
    return (2, 0, 0) if folder is None else (1, folder.order, folder.id)


def in_sections(
    store: Store, listed: Iterable[Subscription]
) -> dict[Section, tuple[str, list[ChannelId]]]:
    """Return the sections in order, each with its title and its channels in the given order.

    A section without channels is left out, except for the last one, from which more channels are found.
    """
    channels: dict[Section, list[ChannelId]] = {}
    for each in listed:
        channels.setdefault(section_of(store, each), []).append(each.channel_id)
    titles = {"pinned": "Pinned"}
    for folder in store.folders.in_order():
        titles[f"folder-{folder.id}"] = sanitize_line(folder.name)
    sections = {each: (title, channels[each]) for each, title in titles.items() if each in channels}
    others = "Channels" if sections.keys() <= {"pinned"} else "Other channels"
    return sections | {"channels": (others, channels.get("channels", []))}
