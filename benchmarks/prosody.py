"""A room of Prosody for `benchmarks/room.py`: a server of its own in a temporary folder, and twenty in the room."""

import asyncio
import base64
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from benchmarks.room import PEOPLE, SENDERS, TEXT, Figures, Line, Round, wire
from benchmarks.traffic import used
from server_lite.cli.serving import event_loop
from server_lite.server import listen

CONFIGURATION: Final = """
run_as_root = true
daemonize = false
pidfile = "{folder}/pid"
data_path = "{folder}"
certificates = "{folder}"
interfaces = {{ "127.0.0.1" }}
c2s_ports = {{ {port} }}
modules_enabled = {{ "saslauth" }}
modules_disabled = {{ "s2s", "tls", "offline" }}
authentication = "internal_plain"
allow_unencrypted_plain_auth = true
c2s_require_encryption = false
storage = {{ archive = "memory" }}
storage_archive_item_limit = 1000000
network_settings = {{ nagle = false }}
log = {{ error = "*console" }}
VirtualHost "localhost"
Component "rooms.localhost" "muc"
  modules_enabled = {{ "muc_mam" }}
  muc_log_by_default = true
  muc_room_locking = false
"""
"""Messages are archived, in memory; who signs in does so in the clear, on this machine.

The archive has room for all: where it is full, at 1,000 messages by default, Prosody drops older ones each time.
"""
OPENING: Final = (
    "<stream:stream to='localhost' xmlns='jabber:client'"
    " xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>"
)
SASL: Final = "xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'"
BIND: Final = "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>"
JOIN: Final = "<x xmlns='http://jabber.org/protocol/muc'/>"
ROOM: Final = "general@rooms.localhost"
STANZA: Final = f"<message to='{ROOM}' type='groupchat' id='m'><body>{TEXT}</body></message>"


async def room(port: int, process: int, messages: int) -> Figures:
    """Sign twenty in, let them join, and have them talk: once for warmth, once for the figures."""
    rest = Round()
    lines: list[Line] = []
    for number in range(PEOPLE):
        one = await wire(port)
        secret = base64.b64encode(f"\0p{number}\0x".encode()).decode()
        await one.ask(OPENING, "</stream:features>")
        await one.ask(f"<auth {SASL}>{secret}</auth>", "<success")
        await one.ask(OPENING, "</stream:features>")
        await one.ask(f"<iq type='set' id='b'>{BIND}</iq>", "</iq>")
        await one.ask(f"<presence to='{ROOM}/p{number}'>{JOIN}</presence>", "<subject")
        lines.append((one, STANZA.encode()))
    for number, line in enumerate(lines):
        line[0].take = _taker(rest, number, line)
    await rest.talk(lines[:SENDERS], 10 * SENDERS)
    before = used(process)
    seconds = await rest.talk(lines[:SENDERS], messages)
    spent = used(process) - before
    for one, _ in lines:
        one.transport.abort()
    return messages / seconds, spent / messages * 1000


def _taker(rest: Round, number: int, line: Line) -> Callable[[bytes], None]:
    own = f" from='{ROOM}/p{number}'".encode()  # in any order of attributes
    unread = bytearray()

    def take(data: bytes) -> None:
        unread.extend(data)
        whole = unread.rfind(b"</message>") + 1  # a stanza may come in two pieces
        told = bytes(unread[:whole])
        del unread[:whole]
        rest.received(told.count(b"</body>"))
        if number < SENDERS and own in told:
            rest.acknowledged(number, line)

    return take


def theirs(messages: int) -> Figures:
    """Run a round."""
    with tempfile.TemporaryDirectory() as name:
        free = listen("127.0.0.1", 0)
        port = free.getsockname()[1]
        free.close()
        accounts = Path(name) / "localhost" / "accounts"
        accounts.mkdir(parents=True)
        for number in range(PEOPLE):
            (accounts / f"p{number}.dat").write_text('return { ["password"] = "x" };')
        configuration = Path(name) / "configuration.lua"
        configuration.write_text(CONFIGURATION.format(folder=name, port=port))
        server = subprocess.Popen(
            ["prosody", "--config", str(configuration), "-F"], stdout=subprocess.DEVNULL
        )
        try:
            _wait_for(port)
            with asyncio.Runner(loop_factory=event_loop) as runner:
                return runner.run(room(port, server.pid, messages))
        finally:
            server.terminate()
            server.wait()


def _wait_for(port: int) -> None:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError("Prosody did not start")
