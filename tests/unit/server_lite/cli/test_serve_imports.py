"""A server without TLS comes without OpenSSL, and its digests, its refusals and its own requests are as with it."""

import subprocess
import sys
from pathlib import Path
from typing import Final

PEM: Final = Path(__file__).parents[3] / "e2e" / "self_signed.pem"
_SCRIPT: Final = """
import sys
from server_lite.cli.serve_imports import import_without_openssl
import_without_openssl()
import hashlib, hmac, secrets
from server_lite.cli.serving import event_loop
from server_lite.routes import TABLE
print(sum(len(route.contracts._known) for route in TABLE.routes))
print(sorted({"ssl", "_ssl", "_hashlib"} & sys.modules.keys()))
print(hmac.new(b"key", b"text", hashlib.sha256).hexdigest(), secrets.compare_digest(b"a", b"a"))
import anyio, asyncio, ssl
from anyio.streams.tls import TLSStream
theirs, ours = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context(cafile=sys.argv[1])
theirs.load_cert_chain(sys.argv[1])
async def over_tls(stream):
    async with await TLSStream.wrap(stream, server_side=True, ssl_context=theirs) as wrapped:
        await wrapped.send(b"heard")
async def ask():
    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, over_tls)
        port = listener.extra(anyio.abc.SocketAttribute.local_port)
        async with await anyio.connect_tcp("127.0.0.1", port, ssl_context=ours) as stream:
            print((await stream.receive()).decode())
        tasks.cancel_scope.cancel()
    try:
        await asyncio.get_running_loop().create_server(asyncio.Protocol, "127.0.0.1", 0, ssl=theirs)
    except RuntimeError as error:
        print(type(asyncio.get_running_loop()).__module__, error)
with asyncio.Runner(loop_factory=event_loop) as runner:
    runner.run(ask())
"""


def test_it_is_imported_without_openssl_and_calls_servers_over_tls() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", _SCRIPT, PEM],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "0",  # signatures of endpoints are read when these are first called
        "[]",
        "6afa9046a9579cad143a384c1b564b9a250d27d6f6a63f9f20bf3a7594c9e2c6 True",
        "heard",
        "uvloop This server was started without TLS.",
    ]
