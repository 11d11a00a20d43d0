"""Whether the clock is plausible enough to delete things by their age. Deletes nothing itself.

A clock that jumps ahead (an empty battery, a resumed virtual machine, a typing error) makes
everything old at once. While a server runs, the jump is visible; across a restart it looks like a long time
without a server. Either way nothing is deleted until servers ran for a day since: time to set the clock.
"""

import logging
from typing import Final

from server_lite.store.database import Tx

DAY: Final = 24 * 3600
log = logging.getLogger("chinwag.server")


def is_trusted(tx: Tx) -> bool:
    """Compare the clock with its last value; returns whether things that look expired may be deleted."""
    before, ran, doubted = tx.rows("SELECT clock, clock_at, doubted_at FROM event_counter")[0]
    if before is not None and tx.now - before - (tx.running - ran) > DAY:
        doubted = tx.running
        log.warning(
            "the clock is %.0f hours ahead of its last known time: nothing is deleted for its age until"
            " a server has run for a day. Set the clock if it is wrong.",
            (tx.now - before) / 3600,
        )
    tx.run(
        "UPDATE event_counter SET clock = ?, clock_at = ?, doubted_at = ?",
        tx.now,
        tx.running,
        doubted,
    )
    return doubted is None or tx.running - doubted > DAY
