"""Imports the server without OpenSSL, unless it serves TLS: a tenth of its memory. Starts nothing.

Python's own digests take the place of OpenSSL's. asyncio is imported as in a Python without `ssl`, and uvloop with
stand-ins for its names, which refuse TLS in one sentence. Whatever imports `ssl` afterwards gets the real one: a
client of another server does its TLS itself, above the event loop's plain connections.
"""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Final, NoReturn

_OPENSSL: Final = ("_hashlib", "_ssl")
_DIGESTS: Final = ("_blake2", "_md5", "_sha1", "_sha3") + (
    ("_sha2",) if sys.version_info >= (3, 12) else ("_sha256", "_sha512")
)
"""Python's own, which some systems' Pythons are built without."""
_NUMBERS: Final = ("SSL_ERROR_WANT_READ", "SSL_ERROR_WANT_WRITE", "SSL_ERROR_SYSCALL")
"""Names of `ssl` that uvloop keeps as numbers; it compares the errors of TLS with them."""


def serve(options: argparse.Namespace) -> int:
    """Run `serve`: see `server_lite.cli.serving`."""
    if options.tls_cert is None and options.tls_key is None:
        import_without_openssl()
    from server_lite.cli import serving  # not before: see above

    return serving.serve(options)


def import_without_openssl() -> None:
    """Import digests, asyncio, uvloop and uvicorn without OpenSSL, except what is imported already."""
    if not sys.modules.keys().isdisjoint(_OPENSSL):
        return
    if all(map(find_spec, _DIGESTS)):
        with _in_place_of("_hashlib", None):
            for name in ("hashlib", "hmac", "secrets"):
                import_module(name)
    with _in_place_of("ssl", None):
        import_module("asyncio")
    with _in_place_of("ssl", _Tls("ssl")):
        import_module("server_lite.http.uvicorn_import")
        if find_spec("uvloop") is not None:
            import_module("uvloop")


class _Tls(ModuleType):
    """Stands in for `ssl` while modules take names from it."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return -1 if name in _NUMBERS else _NO_TLS


class _NoTls:
    """Stands in for a class or function of `ssl`."""

    def __call__(self, *_values: object, **_named: object) -> NoReturn:
        """Refuse what a call would make."""
        raise RuntimeError("This server was started without TLS.")

    def __instancecheck__(self, _instance: object) -> NoReturn:
        """Refuse one of the real class."""
        self()


_NO_TLS: Final = _NoTls()


@contextmanager
def _in_place_of(name: str, stand_in: ModuleType | None) -> Iterator[None]:
    """Let a stand-in be imported by this name; None: as if there were no such module."""
    sys.modules[name] = stand_in  # type: ignore[assignment]  # see the documentation of `import`
    try:
        yield
    finally:
        del sys.modules[name]
