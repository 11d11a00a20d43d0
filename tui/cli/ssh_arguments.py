"""The arguments of `chinwag serve-ssh` and `chinwag ssh-keys`, which are in `tui.ssh`. No I/O."""

import argparse
from pathlib import Path

from tui.cli.search_words import WordsParser


def add(commands: "argparse._SubParsersAction[WordsParser]") -> None:
    """Add both commands."""
    serve = commands.add_parser(
        "serve-ssh",
        help="serve this client over SSH, for one server",
        description="Serve this client over SSH, for one server. Needs chinwag[ssh].",
        allow_abbrev=False,
    )
    serve.add_argument("--site", required=True, metavar="URL", help="address of the chat server")
    serve.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="listen at (default: 127.0.0.1)"
    )
    serve.add_argument(
        "--port", type=_number, default=2222, metavar="PORT", help="port (default: 2222)"
    )
    _state(serve)
    serve.add_argument("--name", metavar="HOST", help="host name that people connect to")
    serve.add_argument(
        "--sessions", type=_number, default=60, metavar="N", help="most sessions (default: 60)"
    )
    serve.add_argument(
        "--idle",
        type=_number,
        default=0,
        metavar="MINUTES",
        help="end sessions that are idle for so long (default: never)",
    )
    serve.add_argument(
        "--no-new-keys", action="store_true", help="accept only known keys and link tokens"
    )
    serve.set_defaults(run="tui.ssh.front:run")
    keys = commands.add_parser(
        "ssh-keys",
        help="list, import or revoke the SSH keys of people",
        description="List, import or revoke the SSH keys of people who use serve-ssh. import reads"
        " lines of an authorized_keys file on standard input.",
        allow_abbrev=False,
    )
    keys.add_argument("what", choices=["list", "import", "revoke", "fingerprint"])
    keys.add_argument(
        "of", nargs="?", default="", metavar="WHO", help="email address, or a key's fingerprint"
    )
    _state(keys)
    keys.set_defaults(run="tui.ssh.owner:run")


def _state(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--state",
        type=Path,
        required=True,
        metavar="DIR",
        help="folder with the host key and people's files",
    )


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) <= 65_535):
        raise argparse.ArgumentTypeError(f"a number from 0 to 65535, not {text!r}")
    return int(text)
