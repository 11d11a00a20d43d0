"""The page of devices that are signed in, and of SSH keys on an SSH host. Draws nothing itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Hashable, Sequence
from functools import partial

from tui.api.model import DeviceId
from tui.api.snapshot import Device
from tui.commands import devices
from tui.host import AccessKey, host_of
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.listing import ListingRow
from tui.screens.dialogs.secret import Secret
from tui.screens.page import Page


async def show(context: AccountContext) -> None:
    """Show the devices until Esc."""
    await Devices(context).show()


class Devices(Page):
    """The devices by the IDs that the server gives them; they have no names."""

    title = "Your devices"
    nothing = "No registered devices."

    def __init__(self, context: AccountContext) -> None:
        super().__init__(context)
        self._access = host_of(context.app).access
        self._keys: list[AccessKey] = []

    async def load(self) -> None:
        """Load the SSH keys, which have no events."""
        if self._access is not None:
            self._keys = await asyncio.to_thread(self._access.keys)

    def rows(self) -> Sequence[ListingRow]:
        here = devices.this_one(self.context.session.state)
        keys = [
            ListingRow(key=each.digest, label=f"SSH key {each.label}", detail=_key_line(each))
            for each in self._keys
        ]
        return keys + [
            ListingRow(
                key=device_id,
                label=f"Device {device_id}",
                detail=_device_line(device, is_here=device_id == here),
            )
            for device_id, device in sorted(self.store.devices.items())
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        actions = []
        if self._access is not None:
            actions = [DialogAction(key="n", label="link another device", run=self._link)]
        if isinstance(key, str):
            revoke = partial(self._revoke, key)
            return [DialogAction(key="d", label="revoke", run=revoke), *actions]
        if not isinstance(key, int):
            return actions
        remove = partial(self._remove, DeviceId(key))
        return [DialogAction(key="d", label="remove", run=remove), *actions]

    async def _revoke(self, digest: str) -> None:
        assert self._access is not None, "there are keys"
        text = "It signs in nowhere any longer, and sessions that it opened end now."
        if await self.confirms("Revoke this SSH key?", text, yes="Revoke"):
            await asyncio.to_thread(self._access.revoke, digest)
            await self.load()

    async def _link(self) -> None:
        assert self._access is not None, "it was offered"
        token = partial(asyncio.to_thread, self._access.token)
        command = host_of(self.context.app).command
        text = f"Run {command} on the other device, and paste this token. It works once, for ten minutes."
        await self.context.ask(Secret("Link another device", text, ask=token))

    async def _remove(self, device_id: DeviceId) -> None:
        text = (
            "It gets no more push notifications, but stays signed in until the API key changes."
            " To sign out all other devices, create a new key in the list of organizations."
        )
        if await self.confirms(f"Remove device {device_id}?", text, yes="Remove"):
            await devices.forget(self.sync, device_id)


def _device_line(device: Device, *, is_here: bool) -> str:
    push = "no push notifications" if device.push_token_id is None else "push notifications"
    return f"this one · {push}" if is_here else push


def _key_line(key: AccessKey) -> str:
    used = time.strftime("%Y-%m-%d", time.localtime(key.used)) if key.used else "never"
    state = "this session · " if key.is_here else "" if key.is_bound else "not confirmed · "
    return f"{state}last used {used}"
