"""The border between the sidebar and the middle, which the mouse can drag. Draws nothing."""

from __future__ import annotations

from textual import events
from textual.scrollbar import ScrollBar

from tui.screens.chat_panels import ChatLayout
from tui.screens.pane_sizes import PaneSizes


class SidebarBorder:
    """The last column of the sidebar and the first of the middle; beside a scrollbar, only the latter."""

    def __init__(self, panes: ChatLayout, sizes: PaneSizes) -> None:
        self._panes = panes
        self._sizes = sizes
        self._is_held = False
        self._held_at = 0  # which of the two columns, counted from the latter
        self._is_let_go = False

    def takes(self, event: events.Event) -> bool:
        """Handle a mouse event at the border; return whether the event was for it."""
        if not isinstance(event, events.MouseEvent) or event.is_forwarded:
            return False
        if self._is_held:
            self._drag(event)
            return True
        if self._is_let_go and isinstance(event, events.Click):
            return True  # releasing the border is no click on what is below
        self._is_let_go = False
        self._is_held = (
            isinstance(event, events.MouseDown) and event.button == 1 and self._is_at(event)
        )
        if self._is_held:
            width = self._sizes.sidebar_width
            self._held_at = event.screen_offset.x - width
        return self._is_held

    def _is_at(self, event: events.MouseEvent) -> bool:
        panes = self._panes
        sizes = self._sizes
        if sizes.one_pane or not sizes.shows_sidebar:
            return False
        column, row = event.screen_offset
        if not panes.side_pane.region.y <= row < panes.side_pane.region.bottom:
            return False
        right = panes.side_pane.region.right
        if column == right - 1:
            return not isinstance(panes.widget_at(column, row)[0], ScrollBar)
        return column == right

    def _drag(self, event: events.MouseEvent) -> None:
        sizes = self._sizes
        if isinstance(event, events.MouseMove) and event.button == 1:
            wide = event.screen_offset.x - self._held_at
            if wide != sizes.sidebar_width:
                sizes.give_sidebar(wide)
                self._panes.lay_out()
        elif isinstance(event, events.MouseUp | events.MouseMove):  # released, here or out of sight
            self._is_held, self._is_let_go = False, True
            if sizes.sidebar_width_wish != self._panes.settings.sidebar_width:  # it was moved
                self._panes.keep_setting("sidebar_width", sizes.sidebar_width_wish)
