"""The machines on which one is signed in, as far as they said so to the server. Draws nothing itself."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from tui.api.model import DeviceId
from tui.api.snapshot import Device
from tui.commands import devices
from tui.screens.dialogs.acts import Act
from tui.screens.dialogs.listing import Listing, ListingRow
from tui.screens.dialogs.question import Question
from tui.screens.organisation.administration import show_listing

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen


async def show(screen: AccountScreen) -> None:
    """Show them until Esc; servers number devices, and know no names of them."""
    session = screen.session
    here = devices.this_one(session.state)

    def rows() -> list[ListingRow]:
        return [
            ListingRow(
                key=device_id,
                label=f"Device {device_id}",
                detail=_said(device, is_here=device_id == here),
            )
            for device_id, device in sorted(session.store.devices.items())
        ]

    def acts(key: Hashable | None) -> list[Act]:
        return [] if key is None else [Act(key="x", label="take off the list", act="remove")]

    async def do(_: str, key: Hashable | None) -> None:
        if not isinstance(key, int):
            return
        words = (
            "It is not pushed to any more. It stays signed in as long as its key is good:"
            " a new key, in the list of organisations, signs out all the others."
        )
        question = Question(f"Take device {key} off the list?", words, yes="Take it off")
        if await screen.app.push_screen_wait(question):
            await devices.forget(session.sync, DeviceId(key))

    listing = Listing(
        "Your devices", rows=rows, acts=acts, do=do, nothing="No device said so to the server."
    )
    await show_listing(screen, listing)


def _said(device: Device, *, is_here: bool) -> str:
    push = "no push" if device.push_token_id is None else "is pushed to"
    return f"this one · {push}" if is_here else push
