"""Ends the workers of a screen that is removed. Knows no account and no dialog.

Textual removes the widgets of a screen first and cancels its workers last: one that waited for the network
meanwhile would go on with widgets that belong to no screen any more.
"""

from typing import TYPE_CHECKING

from textual.messages import Prune

if TYPE_CHECKING:  # as first base a node would hide the styles of Textual's screens
    from textual.dom import DOMNode as _Node
else:
    _Node = object


class CancelWorkersMixin(_Node):
    """A screen whose workers, and those of its widgets, are canceled before any widget is removed."""

    async def on_prune(self, event: Prune) -> None:
        """Cancel them; Textual's own handler removes the widgets after this one."""
        del event
        for node in self.walk_children(with_self=True):
            self.workers.cancel_node(node)
