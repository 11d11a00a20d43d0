"""Marks the headings of a group of lists while one of them gets the keys. Draws nothing."""

from textual.dom import DOMNode
from textual.widget import Widget

from tui.widgets.list_canvas import ListCanvas

IN_LIST = "-in-list"
"""The class of a parent one of whose lists has the focus."""


def mark_headings(group: DOMNode | None, focused: Widget | None) -> None:
    """Mark or unmark the headings beside the lists of `group`, for the widget that has the focus now."""
    has_keys = isinstance(focused, ListCanvas) and focused.parent is group
    if not isinstance(group, Widget) or has_keys == group.has_class(IN_LIST):
        return
    group.set_class(has_keys, IN_LIST, update=False)  # of the headings alone:
    for heading in group.query_children(".heading"):
        heading.update_node_styles()
    for heading in group.query_children(".heading_line"):
        heading.refresh()
