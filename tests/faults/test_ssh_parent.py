"""The parent of SSH sessions says things in one breath that usually come one by one."""

import asyncio
import json
import socket

from tui.ssh.parent import WarmParent
from tui.ssh.session_request import SessionRequest


async def test_a_command_that_ends_at_once_was_there() -> None:
    """Its start and its end are read together: the caller gets both."""
    parent = WarmParent(lambda: None)
    ours, theirs = socket.socketpair()
    loop = asyncio.get_running_loop()
    with ours, theirs:
        ours.setblocking(False)
        theirs.setblocking(False)
        parent._socket = ours
        loop.add_reader(ours, parent._hear)
        try:
            opening = asyncio.create_task(
                parent.open(SessionRequest(kind="command", folder="", site="", command=""), [])
            )
            asked = json.loads(await loop.sock_recv(theirs, 65_536))
            started = {"started": asked["number"], "pid": 7}
            ended = {"ended": asked["number"], "status": 3, "cpu": 0.1, "rss": 1}
            lines = "".join(json.dumps(each) + "\n" for each in (started, ended))
            await loop.sock_sendall(theirs, lines.encode())
            running = await opening
            assert (running.pid, (await running.ended).status) == (7, 3)
        finally:
            loop.remove_reader(ours)
