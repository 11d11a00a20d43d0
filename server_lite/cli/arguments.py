"""The command line, and the function of each command. Does nothing itself.

A command's module is imported when it is called: every start of the client runs `local`, which
finds a running server without loading one.
"""

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from server_lite import VERSION
from server_lite.cli import output
from server_lite.cli.command_parser import CommandParser
from server_lite.errors import ApiError, StartError


def run(words: Sequence[str]) -> int:
    """Run a command; returns 0 for success, 1 for a refusal in one sentence, 2 for invalid arguments.

    A command may return codes of its own above these.
    """
    os.umask(0o077)  # log, lock and SQLite's side files are private
    # A start creates a hundred thousand permanent objects; scanning them takes a sixth of it.
    gc.set_threshold(50_000, 20, 100)
    options = parser().parse_args(words)
    try:
        module, _, function = options.command.partition(":")
        code = getattr(import_module(f"server_lite.cli.{module}"), function)(options)
    except (StartError, ApiError) as error:
        output.warn(str(error))
        return 1
    except BrokenPipeError:  # the reader of our output closed it
        output.write_nothing_more(sys.stdout)
        return 1
    except KeyboardInterrupt:
        output.write_nothing_more(sys.stdout)  # the rest of a line that a full pipe did not accept
        return 130
    return code or 0


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands and their options."""
    whole: argparse.ArgumentParser = CommandParser(
        prog="chinwag-server", description="A chat server that keeps a whole team in one file."
    )
    whole.add_argument("--version", action="version", version=f"chinwag-server {VERSION}")
    commands = whole.add_subparsers(required=True, metavar="COMMAND")
    _init(commands)
    _serve(commands)
    _user(commands)
    _invite(commands)
    _channel(commands)
    _bot(commands)
    _backup(commands)
    _restore(commands)
    _doctor(commands)
    _demo(commands)
    _transfers(commands)
    _mail(commands)
    _local(commands)
    return whole


def _init(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    init = commands.add_parser("init", help="create an organization and its owner")
    _db(init)
    init.add_argument(
        "--realm-name", required=True, metavar="NAME", help="name of the organization"
    )
    init.add_argument("--owner-email", required=True, metavar="ADDRESS")
    init.add_argument("--owner-name", required=True, metavar="NAME")
    _password(init, "--owner-password-stdin")
    init.set_defaults(command="organization:init")


def _serve(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    serve = commands.add_parser("serve", help="run the server until SIGTERM or Ctrl+C")
    _db(serve)
    serve.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: this machine only)"
    )
    serve.add_argument(
        "--port", type=_port, default=9991, help="0 lets the system choose (default: 9991)"
    )
    serve.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="HOST",
        help="host name that clients use for this server (repeatable)",
    )
    serve.add_argument(
        "--ssh",
        type=_port,
        metavar="PORT",
        help="also serve the client over SSH at this port (needs chinwag[ssh])",
    )
    serve.add_argument(
        "--install-command",
        default="",
        metavar="COMMAND",
        help="command that installs Chinwag, shown on the pages for newcomers",
    )
    serve.add_argument(
        "--tls-cert",
        type=Path,
        metavar="FILE",
        help="PEM certificate chain; serves HTTPS only",
    )
    serve.add_argument(
        "--tls-key", type=Path, metavar="FILE", help="PEM private key of the certificate"
    )
    serve.add_argument(
        "--behind-proxy",
        action="store_true",
        help="trust X-Forwarded-For and X-Forwarded-Proto from a reverse proxy on this machine",
    )
    serve.add_argument(
        "--jwt-key-file",
        type=Path,
        metavar="FILE",
        help="shared HS256 key for signing in by JSON web token",
    )
    serve.add_argument(
        "--jwt-audience",
        metavar="NAME",
        help="required `aud` of tokens, which then must be valid for an hour at most, and work"
        " only once",
    )
    serve.add_argument(
        "--calls-file",
        type=Path,
        metavar="FILE",
        help="JSON file with the video call provider (Zoom, Webex) and its secret",
    )
    serve.add_argument(
        "--metrics-key-file",
        type=Path,
        metavar="FILE",
        help="serve /metrics (OpenMetrics) to requests with the key in this file",
    )
    serve.add_argument(
        "--log-format",
        choices=["text", "json"],
        default="text",
        help="format of the log (default: text)",
    )
    serve.add_argument(
        "--log-level",
        choices=["info", "warning", "error", "critical"],
        default="warning",
        help="least serious level to log (default: warning)",
    )
    serve.add_argument(
        "--presence-for-everybody",
        action="store_true",
        help="show guests with limited access everyone's presence, without names",
    )
    serve.add_argument(
        "--webhooks-to",
        action="append",
        default=[],
        metavar="HOST",
        help="a host that outgoing webhooks may call, or * for all public hosts; repeatable"
        " (default: none)",
    )
    serve.add_argument(
        "--mail-domain",
        metavar="HOST",
        help="domain of channels' email addresses, whose mail server runs `chinwag-server mail`",
    )
    serve.add_argument(
        "--upload-quota",
        type=_number,
        default=10 * 1024,
        metavar="MIB",
        help="upload quota of the organization (default: 10240)",
    )
    serve.add_argument(
        "--upload-quota-per-person",
        type=_number,
        default=1024,
        metavar="MIB",
        help="upload quota per person (default: 1024)",
    )
    serve.add_argument(
        "--dev", action="store_true", help="development mode: sign in without passwords (insecure)"
    )
    serve.add_argument("--no-rate-limits", action="store_true", help="for tests and measurements")
    serve.add_argument(
        "--exit-when-idle",
        type=_seconds,
        metavar="SECONDS",
        help="exit after this long without connections",
    )
    serve.add_argument(
        "--check",
        action="store_true",
        help="serve nothing; print what an upgrade would do to the file (exit code 3: upgrade needed)",
    )
    serve.set_defaults(command="serve_imports:serve")


def _user(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    user = commands.add_parser("user", help="accounts").add_subparsers(
        required=True, metavar="ACTION"
    )
    add = user.add_parser("add", help="add an account")
    _db(add)
    add.add_argument("--email", required=True, metavar="ADDRESS")
    add.add_argument("--name", required=True)
    add.add_argument("--role", default="member", help="owner, administrator, moderator, guest")
    _password(add)
    add.set_defaults(command="users:add")
    every = user.add_parser("list", help="list accounts")
    _db(every)
    every.add_argument("--json", action="store_true", help="print a JSON array")
    every.set_defaults(command="users:show")
    role = user.add_parser("set-role", help="change the role of an account")
    _db(role)
    role.add_argument("--email", required=True, metavar="ADDRESS")
    role.add_argument(
        "--role", required=True, help="owner, administrator, moderator, member, guest"
    )
    role.set_defaults(command="users:set_role")
    for word, what in (
        ("deactivate", "deactivate an account"),
        ("reactivate", "reactivate an account"),
    ):
        other = user.add_parser(word, help=what)
        _db(other)
        other.add_argument("--email", required=True, metavar="ADDRESS")
        other.set_defaults(command=f"users:{word}")
    password = user.add_parser("set-password", help="set the password of an account")
    _db(password)
    password.add_argument("--email", required=True, metavar="ADDRESS")
    _password(password)
    password.set_defaults(command="users:set_password")


def _invite(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    invite = commands.add_parser("invite", help="create an invitation link")
    _db(invite)
    invite.add_argument("--email", metavar="ADDRESS", help="only for this email address")
    invite.add_argument("--role", default="member", help="owner, administrator, moderator, guest")
    invite.add_argument(
        "--days",
        type=_days,
        default=10,
        metavar="NUMBER",
        help="days until it expires (default: 10)",
    )
    invite.add_argument("--many", action="store_true", help="can be used more than once")
    invite.add_argument(
        "--url",
        metavar="URL",
        help="address of the server in the link (default: the running server's)",
    )
    invite.add_argument("--list", action="store_true", help="list open invitations instead")
    invite.add_argument("--json", action="store_true", help="with --list: print a JSON array")
    invite.add_argument(
        "--revoke", type=_number, metavar="NUMBER", help="revoke an invitation instead"
    )
    invite.set_defaults(command="invites:invite")


def _channel(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    channel = commands.add_parser("channel", help="channels").add_subparsers(
        required=True, metavar="ACTION"
    )
    add = channel.add_parser("add", help="add a channel")
    _db(add)
    add.add_argument("--name", required=True)
    add.add_argument("--description", default="", metavar="TEXT")
    add.add_argument("--private", action="store_true", help="private channel")
    add.add_argument("--default", action="store_true", help="default channel: subscribe new users")
    add.set_defaults(command="channels:add")
    every = channel.add_parser("list", help="list channels")
    _db(every)
    every.add_argument("--json", action="store_true", help="print a JSON array")
    every.set_defaults(command="channels:show")


def _bot(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    bot = commands.add_parser("bot", help="bots and their keys").add_subparsers(
        required=True, metavar="ACTION"
    )
    add = bot.add_parser("create", help="create a bot and print its API key")
    _db(add)
    add.add_argument(
        "--short-name", required=True, metavar="WORD", help="WORD-bot@… is its address"
    )
    add.add_argument("--name", required=True, help="display name")
    add.add_argument("--kind", default="generic", help="generic (default), incoming, outgoing")
    add.add_argument(
        "--url", metavar="URL", help="address of the program behind an outgoing webhook bot"
    )
    add.add_argument(
        "--owner", metavar="ADDRESS", help="owner of the bot (default: the first owner)"
    )
    add.add_argument("--json", action="store_true", help="print a JSON object")
    add.set_defaults(command="bots:create")
    every = bot.add_parser("list", help="list bots")
    _db(every)
    every.add_argument("--json", action="store_true", help="print a JSON array")
    every.set_defaults(command="bots:show")
    key = bot.add_parser("key", help="show or rotate a bot's API key")
    _db(key)
    key.add_argument("--email", required=True, metavar="ADDRESS")
    key.add_argument("--new", action="store_true", help="rotate the key: the old one stops working")
    key.set_defaults(command="bots:key")


def _backup(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    backup = commands.add_parser("backup", help="make a verified copy, also while the server runs")
    _db(backup)
    backup.add_argument("to", type=Path, metavar="TO", help="a new file, or a folder of backups")
    backup.add_argument(
        "--keep", type=_number, metavar="NUMBER", help="in a folder: number of backups to keep"
    )
    backup.add_argument("--force", action="store_true", help="overwrite an older backup")
    backup.set_defaults(command="backup:backup")


def _restore(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    restore = commands.add_parser("restore", help="restore an organization from a backup")
    restore.add_argument("backup", type=Path, metavar="BACKUP", help="a file that `backup` made")
    _db(restore)
    restore.add_argument("--force", action="store_true", help="move an existing database aside")
    restore.set_defaults(command="restore:restore")


def _doctor(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    doctor = commands.add_parser(
        "doctor", help="check the database and its surroundings, and suggest fixes"
    )
    _db(doctor)
    doctor.add_argument("--json", action="store_true", help="print a JSON array")
    doctor.add_argument(
        "--repair",
        action="store_true",
        help="repair the search index and the lists of unread messages",
    )
    doctor.set_defaults(command="doctor:doctor")


def _demo(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    demo = commands.add_parser("demo", help="create an example organization to try things in")
    _db(demo)
    demo.set_defaults(command="demo:demo")


def _transfers(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    leave = commands.add_parser(
        "export", help="export everything, as JSON lines or for a full Zulip server"
    )
    _db(leave)
    leave.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="FILE",
        help="a new file; for `--format zulip` a new folder, or a new archive FILE.tar.gz",
    )
    leave.add_argument(
        "--format",
        choices=("jsonl", "zulip"),
        default="jsonl",
        help="JSON lines with a folder of files (the default), or what a full server imports",
    )
    leave.add_argument(
        "--zulip",
        type=int,
        choices=range(8, 13),
        metavar="VERSION",
        help="major version of the full server: 8 to 12, by default 11",
    )
    leave.add_argument("--person", metavar="ADDRESS", help="only what this person can read")
    leave.set_defaults(command="transfers:export_records")
    come = commands.add_parser(
        "import",
        help="create an organization from an export, or add a later one: Zulip, Slack, Mattermost, mbox",
    )
    come.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help="JSON lines, mbox, a .tar.gz or .zip archive, or its folder",
    )
    _db(come)
    come.add_argument(
        "--dry-run", action="store_true", help="say what would be imported, and create nothing"
    )
    come.set_defaults(command="transfers:import_records")


def _mail(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    mail = commands.add_parser(
        "mail", help="post an email from standard input, for the pipe of a mail server"
    )
    _db(mail)
    mail.add_argument(
        "address",
        nargs="?",
        metavar="ADDRESS",
        help="recipient (default: from the environment or the headers)",
    )
    mail.set_defaults(command="mail:deliver")


def _local(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    here = commands.add_parser(
        "local", help="find or start this machine's server, and print one line of JSON"
    )
    here.add_argument("--data-dir", type=Path, required=True, metavar="DIR")
    here.add_argument(
        "--exit-when-idle",
        type=_seconds,
        default=900.0,
        metavar="SECONDS",
        help="exit after this long without connections (default: 900)",
    )
    here.set_defaults(command="local:start")


def _db(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--db", type=Path, required=True, metavar="FILE", help="database file of the organization"
    )


def _password(command: argparse.ArgumentParser, name: str = "--password-stdin") -> None:
    command.add_argument(
        name,
        dest="password_stdin",
        action="store_true",
        help="read the password from standard input, up to the end of its first line",
    )


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text} is not a port (0 to 65535)")
    return int(text)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < 1_000_000):
        raise argparse.ArgumentTypeError(f"{text} is not a number above 0")
    return int(text)


def _days(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text) <= 36500):
        raise argparse.ArgumentTypeError(f"{text} is not a number of days")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds")
    return seconds
