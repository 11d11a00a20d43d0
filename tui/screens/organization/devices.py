"""The machines on which one is signed in, as far as they said so to the server. Draws nothing itself."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial

from tui.api.model import DeviceId
from tui.api.snapshot import Device
from tui.commands import devices
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.listing import ListingRow
from tui.screens.page import Page


async def show(context: AccountContext) -> None:
    """This one and the others."""
    await Devices(context).show()


class Devices(Page):
    """By the numbers that servers give them; they know no names."""

    title = "Your devices"
    nothing = "No registered devices."

    def rows(self) -> Sequence[ListingRow]:
        here = devices.this_one(self.context.session.state)
        return [
            ListingRow(
                key=device_id,
                label=f"Device {device_id}",
                detail=_said(device, is_here=device_id == here),
            )
            for device_id, device in sorted(self.store.devices.items())
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        if not isinstance(key, int):
            return []
        return [DialogAction(key="d", label="remove", run=partial(self._remove, DeviceId(key)))]

    async def _remove(self, device_id: DeviceId) -> None:
        words = (
            "It gets no more push notifications, but stays signed in until the API key changes."
            " To sign out all other devices, create a new key in the list of organizations."
        )
        if await self.confirms(f"Remove device {device_id}?", words, yes="Remove"):
            await devices.forget(self.sync, device_id)


def _said(device: Device, *, is_here: bool) -> str:
    push = "no push notifications" if device.push_token_id is None else "push notifications"
    return f"this one · {push}" if is_here else push
