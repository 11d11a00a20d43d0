"""Ends the workers of a screen that is removed. Knows no account and no dialog.

Textual removes the widgets of a screen first and cancels its workers last: one that waited for the network
meanwhile would go on with widgets that belong to no screen any more.
"""

from textual.dom import DOMNode
from textual.messages import Prune


class CancelWorkersMixin(DOMNode):
    """A screen whose workers, and those of its widgets, are canceled before any widget is removed."""

    async def on_prune(self, event: Prune) -> None:
        """Cancel them; Textual's own handler removes the widgets after this one."""
        del event
        for node in self.walk_children(with_self=True):
            self.workers.cancel_node(node)
