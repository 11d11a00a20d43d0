"""Drops requests for a layout that a layout itself made. Draws nothing.

Textual has each widget that learns its size ask for another layout of the whole screen, which finds the same.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from textual.screen import Screen
from textual.widget import Widget

Scrollbars: TypeAlias = list[tuple[bool, bool]]
"""Which of its two scrollbars each widget of a screen has."""


def scrollbars(screen: Screen[Any]) -> Scrollbars:
    """Return which widgets have scrollbars."""
    return [each.scrollbars_enabled for each in screen.walk_children(Widget)]


def drop(screen: Screen[Any], before: Scrollbars) -> bool:
    """Drop the requests that were made up to a layout that just ended; False if it changed scrollbars, which take
    room, so that another layout is needed.
    """
    if before != scrollbars(screen):
        return False
    # With scrollbars, which are no children, and hidden widgets, which are not in the layout.
    for widget in (*screen._compositor.full_map, *screen.walk_children(Widget)):
        widget._layout_required = False
    return True
