"""The words of the command line, and which function each command is. Does nothing itself.

A command's module is imported when it is called: `local` is asked at every start of the client, and
finds a running server without loading one.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from server_lite import VERSION
from server_lite.cli import output
from server_lite.errors import ApiError, StartError


def run(words: Sequence[str]) -> int:
    """Carry out a command; 0 is success, 1 a refusal in one sentence, 2 words that make no sense.

    A command may have codes of its own above these: it returns them.
    """
    os.umask(0o077)  # the log, the lock and SQLite's side files are nobody else's to read
    options = parser().parse_args(words)
    try:
        module, _, function = options.command.partition(":")
        code = getattr(import_module(f"server_lite.cli.{module}"), function)(options)
    except (StartError, ApiError) as error:
        output.warn(str(error))
        return 1
    except BrokenPipeError:  # the reader of our output had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    return code or 0


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    whole = argparse.ArgumentParser(
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
    _local(commands)
    return whole


def _init(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    init = commands.add_parser("init", help="make a new organisation and its owner")
    _db(init)
    init.add_argument("--realm-name", required=True, metavar="NAME", help="the organisation's name")
    init.add_argument("--owner-email", required=True, metavar="ADDRESS")
    init.add_argument("--owner-name", required=True, metavar="NAME")
    _password(init, "--owner-password-stdin")
    init.set_defaults(command="organisation:init")


def _serve(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    serve = commands.add_parser("serve", help="answer clients until SIGTERM or Ctrl+C")
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
        help="a name under which clients reach this server; may be given several times",
    )
    serve.add_argument(
        "--tls-cert",
        type=Path,
        metavar="FILE",
        help="the certificate in PEM, with those that vouch for it: answers HTTPS and nothing else",
    )
    serve.add_argument("--tls-key", type=Path, metavar="FILE", help="its private key, in PEM")
    serve.add_argument(
        "--behind-proxy",
        action="store_true",
        help="trust X-Forwarded-For and X-Forwarded-Proto from a reverse proxy on this machine",
    )
    serve.add_argument(
        "--jwt-key-file",
        type=Path,
        metavar="FILE",
        help="holds the key of a program that vouches for people with JSON web tokens",
    )
    serve.add_argument(
        "--jwt-audience",
        metavar="NAME",
        help="what that program calls this server: its tokens must say so, be good for an hour at"
        " most, and sign in once",
    )
    serve.add_argument(
        "--calls-file",
        type=Path,
        metavar="FILE",
        help="JSON that describes a provider of video calls (Zoom, Webex) and holds its secret",
    )
    serve.add_argument(
        "--presence-for-everybody",
        action="store_true",
        help="guests who may not know everybody see the presence of those they do not know, unnamed",
    )
    serve.add_argument(
        "--webhooks-to",
        action="append",
        default=[],
        metavar="HOST",
        help="a host that outgoing webhooks may call, * for every public one; may be given several"
        " times (default: nothing is called)",
    )
    serve.add_argument(
        "--upload-quota",
        type=_number,
        default=10 * 1024,
        metavar="MIB",
        help="how much all uploaded files may take together (default: 10240)",
    )
    serve.add_argument(
        "--upload-quota-per-person",
        type=_number,
        default=1024,
        metavar="MIB",
        help="how much the files of one person may take (default: 1024)",
    )
    serve.add_argument("--dev", action="store_true", help="sign in without passwords; for tests")
    serve.add_argument("--no-rate-limits", action="store_true", help="for tests and measurements")
    serve.add_argument(
        "--exit-when-idle",
        type=_seconds,
        metavar="SECONDS",
        help="leave when nobody has been connected for so long",
    )
    serve.add_argument(
        "--check",
        action="store_true",
        help="serve nothing; say what this version would do to the file (exit code 3: upgrade it)",
    )
    serve.set_defaults(command="serving:serve")


def _user(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    user = commands.add_parser("user", help="accounts").add_subparsers(
        required=True, metavar="ACTION"
    )
    add = user.add_parser("add", help="a new account")
    _db(add)
    add.add_argument("--email", required=True, metavar="ADDRESS")
    add.add_argument("--name", required=True)
    add.add_argument("--role", default="member", help="owner, administrator, moderator, guest")
    _password(add)
    add.set_defaults(command="people:add")
    every = user.add_parser("list", help="all accounts")
    _db(every)
    every.add_argument("--json", action="store_true", help="one JSON array")
    every.set_defaults(command="people:show")
    role = user.add_parser("set-role", help="another role for an account")
    _db(role)
    role.add_argument("--email", required=True, metavar="ADDRESS")
    role.add_argument(
        "--role", required=True, help="owner, administrator, moderator, member, guest"
    )
    role.set_defaults(command="people:set_role")
    for word, what in (("deactivate", "close an account"), ("reactivate", "open it again")):
        other = user.add_parser(word, help=what)
        _db(other)
        other.add_argument("--email", required=True, metavar="ADDRESS")
        other.set_defaults(command=f"people:{word}")
    password = user.add_parser("set-password", help="a new password for an account")
    _db(password)
    password.add_argument("--email", required=True, metavar="ADDRESS")
    _password(password)
    password.set_defaults(command="people:set_password")


def _invite(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    invite = commands.add_parser("invite", help="a link by which somebody makes an account")
    _db(invite)
    invite.add_argument("--email", metavar="ADDRESS", help="only for whoever takes this address")
    invite.add_argument("--role", default="member", help="owner, administrator, moderator, guest")
    invite.add_argument(
        "--days", type=_days, default=10, metavar="NUMBER", help="how long it is good (default: 10)"
    )
    invite.add_argument("--many", action="store_true", help="any number of people can use it")
    invite.add_argument(
        "--url", metavar="URL", help="where people reach the server (default: where it runs now)"
    )
    invite.add_argument("--list", action="store_true", help="show the open ones instead")
    invite.add_argument("--json", action="store_true", help="with --list: one JSON array")
    invite.add_argument("--revoke", type=_number, metavar="NUMBER", help="end one instead")
    invite.set_defaults(command="invites:invite")


def _channel(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    channel = commands.add_parser("channel", help="channels").add_subparsers(
        required=True, metavar="ACTION"
    )
    add = channel.add_parser("add", help="a new channel")
    _db(add)
    add.add_argument("--name", required=True)
    add.add_argument("--description", default="", metavar="TEXT")
    add.add_argument("--private", action="store_true", help="its people invite, others see nothing")
    add.add_argument("--default", action="store_true", help="people to come are subscribed")
    add.set_defaults(command="channels:add")
    every = channel.add_parser("list", help="all channels")
    _db(every)
    every.add_argument("--json", action="store_true", help="one JSON array")
    every.set_defaults(command="channels:show")


def _bot(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    bot = commands.add_parser("bot", help="bots and their keys").add_subparsers(
        required=True, metavar="ACTION"
    )
    add = bot.add_parser("create", help="a new bot; prints its key")
    _db(add)
    add.add_argument(
        "--short-name", required=True, metavar="WORD", help="WORD-bot@… is its address"
    )
    add.add_argument("--name", required=True, help="what people see")
    add.add_argument("--kind", default="generic", help="generic (default), incoming, outgoing")
    add.add_argument("--url", metavar="URL", help="of the program behind an outgoing bot")
    add.add_argument("--owner", metavar="ADDRESS", help="whose bot it is (default: first owner)")
    add.add_argument("--json", action="store_true", help="one JSON object")
    add.set_defaults(command="bots:create")
    every = bot.add_parser("list", help="all bots")
    _db(every)
    every.add_argument("--json", action="store_true", help="one JSON array")
    every.set_defaults(command="bots:show")
    key = bot.add_parser("key", help="a bot's key once more, or a new one")
    _db(key)
    key.add_argument("--email", required=True, metavar="ADDRESS")
    key.add_argument("--new", action="store_true", help="end the old key")
    key.set_defaults(command="bots:key")


def _backup(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    backup = commands.add_parser("backup", help="a verified copy, while people chat or not")
    _db(backup)
    backup.add_argument("to", type=Path, metavar="TO", help="a new file, or a folder of backups")
    backup.add_argument(
        "--keep", type=_number, metavar="NUMBER", help="in a folder: how many to keep, newest first"
    )
    backup.add_argument("--force", action="store_true", help="overwrite an older backup")
    backup.set_defaults(command="backup:backup")


def _restore(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    restore = commands.add_parser("restore", help="an organisation from a backup")
    restore.add_argument("backup", type=Path, metavar="BACKUP")
    _db(restore)
    restore.add_argument("--force", action="store_true", help="set aside what is there")
    restore.set_defaults(command="restore:restore")


def _doctor(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    doctor = commands.add_parser("doctor", help="is everything well, and what to do where not")
    _db(doctor)
    doctor.add_argument("--json", action="store_true", help="one JSON array")
    doctor.add_argument(
        "--repair", action="store_true", help="index again what search does not find"
    )
    doctor.set_defaults(command="doctor:doctor")


def _demo(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    demo = commands.add_parser("demo", help="an example organisation to try things out in")
    _db(demo)
    demo.set_defaults(command="demo:demo")


def _transfers(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    leave = commands.add_parser("export", help="everything as JSON lines, and files in a folder")
    _db(leave)
    leave.add_argument("--out", type=Path, required=True, metavar="FILE", help="a new file")
    leave.add_argument("--person", metavar="ADDRESS", help="only what this person may read")
    leave.set_defaults(command="transfers:leave")
    come = commands.add_parser("import", help="a new organisation from what `export` wrote")
    come.add_argument("file", type=Path, metavar="FILE")
    _db(come)
    come.set_defaults(command="transfers:come")


def _local(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    here = commands.add_parser(
        "local", help="find or start this machine's own server; prints one line of JSON"
    )
    here.add_argument("--data-dir", type=Path, required=True, metavar="DIR")
    here.add_argument(
        "--exit-when-idle",
        type=_seconds,
        default=900.0,
        metavar="SECONDS",
        help="the server leaves when nobody has been connected for so long (default: 900)",
    )
    here.set_defaults(command="local:start")


def _db(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--db", type=Path, required=True, metavar="FILE", help="the organisation's file"
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
