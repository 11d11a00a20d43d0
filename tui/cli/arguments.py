"""The arguments of `chinwag`, and the function that each command runs. Runs none of them."""

import argparse
from pathlib import Path
from typing import NoReturn, TypeAlias

from tui import VERSION
from tui.cli import ssh_arguments as serving
from tui.cli.help_formatter import ArgumentParser
from tui.cli.search_words import WordsParser

MOST_FOUND = 5000
"""Most messages that servers return in one answer."""

_NARROWED = ("tail:run", "export:run")
"""Commands with a narrow of their own."""

_Commands: TypeAlias = "argparse._SubParsersAction[WordsParser]"


def contradiction(arguments: argparse.Namespace) -> str:
    """Return the error of arguments that contradict each other; "" if they do not."""
    match arguments.run:
        case str(run) if not arguments.then_opens and (
            arguments.theme or (arguments.narrow and run not in _NARROWED)
        ):
            option = "--theme" if arguments.theme else "--narrow"
            return f"{option} applies to the screen, and this command has none"
        case "status:run" if arguments.clear and (arguments.text or arguments.emoji):
            return "--clear cannot be combined with TEXT or --emoji"
        case "tail:search" if not arguments.words:
            return "WORDS are required, e.g. sender:ann kettle"
        case "lists:channels" if arguments.of and not arguments.name:
            return f"--{arguments.of} needs NAME"
        case "lists:people" if not arguments.name and (arguments.channel or arguments.group):
            return "WHO is required: a name, an email address or a user ID"
        case _:
            return ""


class CommandParser(ArgumentParser):
    """Refuses an unknown command with one sentence that names the most similar one.

    argparse lists all commands instead, over several lines.
    """

    commands: _Commands

    def refuse(self, command: str | None, why: str) -> NoReturn:
        """Exit with code 2, and the usage of the command."""
        (self if command is None else self.commands.choices[command]).error(why)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        names = list(action.choices or ())
        if not isinstance(action, argparse._SubParsersAction) or value in names:
            super()._check_value(action, value)
            return
        from difflib import get_close_matches  # needed only here

        typed = "".join(letter if letter.isprintable() else "·" for letter in str(value))[:40]
        near = get_close_matches(str(value), names, n=1)
        hint = f"Did you mean “{near[0]}”?" if near else f"“{self.prog} --help” lists them."
        self.exit(2, f"{self.prog}: there is no command “{typed}”. {hint}\n")


def parser() -> CommandParser:
    """Return the parser of all commands and their options."""
    whole = CommandParser(
        prog="chinwag",
        description="Topic-threaded team chat in a terminal. Without a command: the account used"
        " last, or how to sign in.",
        allow_abbrev=False,
    )
    whole.add_argument("--version", action="version", version=f"chinwag {VERSION}")
    whole.add_argument("--zuliprc", type=Path, metavar="FILE", help="zuliprc file to use")
    _screen(whole)
    whole.set_defaults(run=None, command=None, then_opens=False)
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", parser_class=WordsParser)
    whole.commands = commands
    _local(commands)
    _send(commands)
    _react(commands)
    _tail(commands)
    _search(commands)
    _export(commands)
    _unread(commands)
    _status(commands)
    _lists(commands)
    _push(commands)
    _api(commands)
    _mcp(commands)
    _join(commands)
    _login(commands)
    _logout(commands)
    serving.add(commands)
    _completions(commands)
    return whole


def _screen(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """Add the options of commands that open the screen; `default` keeps a sub-command from resetting them."""
    parser.add_argument(
        "--narrow",
        metavar="WORDS",
        default=default,
        help="narrow to open, e.g. 'channel:design topic:colors' ('' for all messages)",
    )
    parser.add_argument(
        "--theme", metavar="NAME", default=default, help="color theme, e.g. chinwag-light"
    )


def _command(commands: _Commands, name: str, about: str) -> WordsParser:
    command_parser: WordsParser = commands.add_parser(
        name, help=about, description=f"{about[0].upper()}{about[1:]}.", allow_abbrev=False
    )
    command_parser.add_argument(
        "--zuliprc",
        type=Path,
        metavar="FILE",
        default=argparse.SUPPRESS,
        help="zuliprc file to use",
    )
    return command_parser


def _ids(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--ids", action="store_true", help="begin each line with the message's ID")


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON lines")


def _local(commands: _Commands) -> None:
    local = commands.add_parser(
        "local", help="open the server on this machine (created on first use)", allow_abbrev=False
    )
    _screen(local, argparse.SUPPRESS)


def _send(commands: _Commands) -> None:
    send = _command(commands, "send", "send a message, given as text or on standard input")
    to = send.add_mutually_exclusive_group(required=True)
    to.add_argument("--to", metavar="PLACE", help="channel and topic, e.g. '#design > colors'")
    to.add_argument(
        "--reply-to", type=_id, metavar="ID", help="the conversation of the message with this ID"
    )
    to.add_argument("--dm", metavar="PEOPLE", help="names or email addresses, separated by commas")
    send.add_argument(
        "--file", type=Path, action="append", default=[], metavar="FILE", help="attach a file"
    )
    send.add_argument(
        "--key",
        metavar="KEY",
        help="idempotency key: sending again with the same key sends nothing twice",
    )
    _json(send)
    send.add_argument("text", nargs="?", metavar="TEXT", help="Markdown; without it, or with -,"
                      " standard input")  # fmt: skip
    send.set_defaults(run="send:run")


def _react(commands: _Commands) -> None:
    react = _command(commands, "react", "add an emoji reaction to a message")
    react.add_argument("message", type=_id, metavar="ID", help="the ID of the message")
    react.add_argument("emoji", metavar="EMOJI", help="emoji name, e.g. tada")
    react.add_argument("--remove", action="store_true", help="remove your reaction")
    react.set_defaults(run="react:run")


def _tail(commands: _Commands) -> None:
    tail = _command(commands, "tail", "show the newest messages, or follow new ones with -f")
    tail.add_argument("-f", "--follow", action="store_true", help="keep following new messages")
    tail.add_argument(
        "-n",
        "--limit",
        type=_count_or_zero,
        default=10,
        metavar="N",
        help="how many (default: 10); with -f, 0 for new ones only",
    )
    tail.add_argument(
        "--narrow",
        metavar="WORDS",
        default=argparse.SUPPRESS,  # so that it is also understood before the command
        help="narrow, e.g. 'channel:design'",
    )
    _ids(tail)
    _json(tail)
    tail.set_defaults(run="tail:run")


def _search(commands: _Commands) -> None:
    search = _command(commands, "search", "find messages, oldest first")
    search.add_argument(
        "words",
        nargs="*",
        metavar="WORDS",
        help="search terms, e.g. sender:ann kettle -tea (excludes tea); after --, everything is a word",
    )
    search.words = "words"
    search.add_argument(
        "-n", "--limit", type=_count, default=50, metavar="N", help="the newest N (default: 50)"
    )
    _ids(search)
    _json(search)
    search.set_defaults(run="tail:search")


def _export(commands: _Commands) -> None:
    export = _command(commands, "export", "save the messages of a narrow, oldest first")
    export.add_argument(
        "--narrow",
        metavar="WORDS",
        required=True,
        help="e.g. 'channel:design topic:colors', 'dm:ann' ('' for all messages)",
    )
    export.add_argument(
        "--format",
        choices=["jsonl", "md", "html"],
        default="md",
        help="JSON lines, Markdown (default) or a web page",
    )
    export.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="file to write or replace (default: standard output)",
    )
    export.set_defaults(run="export:run")


def _unread(commands: _Commands) -> None:
    unread = _command(commands, "unread", "list conversations with something unread")
    unread.add_argument("--all", action="store_true", help="include muted conversations")
    _json(unread)
    unread.set_defaults(run="lists:unread")


def _status(commands: _Commands) -> None:
    status = _command(commands, "status", "show or set your status")
    status.add_argument("text", nargs="?", metavar="TEXT")
    status.add_argument("--emoji", metavar="NAME", help="emoji name, e.g. coffee")
    status.add_argument("--clear", action="store_true", help="clear the status")
    _json(status)
    status.set_defaults(run="status:run")


def _lists(commands: _Commands) -> None:
    channels = _command(commands, "channels", "list channels, or show one")
    _json(channels)
    channels.add_argument("name", nargs="?", metavar="NAME", help="show only this one")
    of = channels.add_mutually_exclusive_group()
    for what, about in (
        ("topics", "its topics, the newest first"),
        ("people", "its members"),
        ("email", "its email address: mail sent there becomes messages"),
    ):
        of.add_argument(f"--{what}", dest="of", action="store_const", const=what, help=about)
    channels.set_defaults(run="lists:channels", of=None)
    people = _command(commands, "people", "list people, or show one")
    _json(people)
    people.add_argument("name", nargs="?", metavar="NAME", help="name, email address or user ID")
    where = people.add_mutually_exclusive_group()
    where.add_argument("--channel", metavar="NAME", help="only the members of this channel")
    where.add_argument("--group", metavar="NAME", help="only the members of this group")
    people.set_defaults(run="lists:people")
    groups = _command(commands, "groups", "list user groups, or the members of one")
    _json(groups)
    groups.add_argument("name", nargs="?", metavar="NAME", help="show the members of this group")
    groups.set_defaults(run="groups:run")
    kept = _command(commands, "kept", "list your drafts, scheduled messages, reminders, snippets or"
        " saved views")  # fmt: skip
    _json(kept)
    kept.add_argument(
        "what",
        choices=["drafts", "scheduled", "reminders", "snippets", "views"],
        help="what to list, as the server stores it",
    )
    kept.set_defaults(run="personal_data:run")


def _push(commands: _Commands) -> None:
    push = _command(commands, "push", "register a phone for push notifications, or remove it")
    push.add_argument(
        "token", nargs="?", metavar="TOKEN", help="the phone's token (default: standard input)"
    )
    push.add_argument("--apple", metavar="APP", help="iPhone: the app's ID")
    push.add_argument("--remove", action="store_true", help="remove the token")
    push.set_defaults(run="push:run")


def _api(commands: _Commands) -> None:
    api = _command(commands, "api", "send any API request, and print the response as JSON")
    api.add_argument(
        "words",
        nargs="+",
        metavar="[VERB] PATH [NAME=VALUE]",
        help="e.g. users/me, or POST typing op=start; a value of - reads standard input",
    )
    api.set_defaults(run="api:run")


def _mcp(commands: _Commands) -> None:
    mcp = _command(commands, "mcp", "serve the Model Context Protocol on standard input and output")
    mcp.add_argument("--allow-send", action="store_true", help="let assistants send messages")
    mcp.set_defaults(run="mcp:run")


def _join(commands: _Commands) -> None:
    join = commands.add_parser(
        "join",
        help="create an account with an invitation link, and open it",
        description="Create an account with an invitation link, and open it. The password is asked"
        " for, or taken from CHINWAG_SECRET or standard input.",
        allow_abbrev=False,
    )
    join.add_argument("link", metavar="LINK", help="e.g. 'https://chat.example.com/join/…'")
    join.add_argument("--name", metavar="NAME", help="display name (asked for if omitted)")
    join.add_argument("--email", metavar="ADDRESS", help="email address (asked for if omitted)")
    join.add_argument("--http", action="store_true", help="connect without encryption")
    join.set_defaults(run="joining:join", then_opens=True)


def _login(commands: _Commands) -> None:
    login = commands.add_parser(
        "login",
        help="sign in to a server",
        description="Sign in to a server. The password, key or token is asked for, or taken from"
        " CHINWAG_SECRET or standard input, never from an argument.",
        allow_abbrev=False,
    )
    login.add_argument("site", metavar="SERVER", help="server address, e.g. chat.example.com")
    login.add_argument("--email", metavar="ADDRESS", help="email address of the account")
    login.add_argument(
        "--by",
        choices=["password", "key", "token", "page", "name"],
        default="password",
        help="sign in on a page in the browser; on development servers, by name",
    )
    login.add_argument(
        "--page", metavar="NAME", help="sign-in page to use if the server has several"
    )
    login.add_argument("--http", action="store_true", help="without encryption, on a network"
                       " you trust")  # fmt: skip
    login.set_defaults(run="sign_in:login")


def _logout(commands: _Commands) -> None:
    logout = _command(commands, "logout", "sign out, and delete the key from this machine")
    logout.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    logout.set_defaults(run="sign_in:logout")


def _completions(commands: _Commands) -> None:
    completions = commands.add_parser(
        "completions", help="print a shell's completions", allow_abbrev=False
    )
    completions.add_argument("shell", choices=["bash", "zsh", "fish"])
    completions.set_defaults(run="completions:run")


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text) <= MOST_FOUND):
        raise argparse.ArgumentTypeError(f"a number from 1 to {MOST_FOUND}, not {text!r}")
    return int(text)


def _count_or_zero(text: str) -> int:
    return 0 if text == "0" else _count(text)


def _id(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 18):
        raise argparse.ArgumentTypeError(f"the ID of a message, not {text!r}")
    return int(text)
