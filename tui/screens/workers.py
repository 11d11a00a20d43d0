"""Starts workers, and ends those of a screen that is removed. Knows no account and no dialog.

Textual removes the widgets of a screen first and cancels its workers last: one that waited for the network
meanwhile would go on with widgets that belong to no screen any more.
"""

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeAlias

from textual.dom import DOMNode
from textual.messages import Prune
from textual.worker import Worker

Work: TypeAlias = Callable[[], Coroutine[Any, Any, None]]

if TYPE_CHECKING:  # as first base a node would hide the styles of Textual's screens
    _Node = DOMNode
else:
    _Node = object


def start_worker(
    node: DOMNode, work: Work, *, group: str = "default", exclusive: bool = False
) -> Worker[None]:
    """Run `work` in the background, until `node` is removed; with `exclusive` the group's others are canceled.

    `work` is called when it begins: a coroutine that is canceled before that would never be awaited.
    """
    return node.run_worker(work, group=group, exclusive=exclusive)


class CancelWorkersMixin(_Node):
    """A screen whose workers, and those of its widgets, are canceled before any widget is removed."""

    async def on_prune(self, event: Prune) -> None:
        """Cancel them; Textual's own handler removes the widgets after this one."""
        del event
        for node in self.walk_children(with_self=True):
            self.workers.cancel_node(node)
