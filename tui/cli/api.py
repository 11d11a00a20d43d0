"""`chinwag api`: any request of the API in the account's name, for scripts. Knows no endpoint."""

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping, Sequence

from tui.cli import lines, output
from tui.cli.account import asking
from tui.config import Folders
from tui.errors import ConfigError

VERBS = ("GET", "POST", "PATCH", "PUT", "DELETE")


def run(arguments: argparse.Namespace, here: Folders) -> int:
    """Send the request, and print the answer's JSON on one line."""
    verb, path, parameters = request_of(arguments.words)
    output.show(lines.of_record(dict(asyncio.run(_ask(arguments, here, verb, path, parameters)))))
    return 0


async def _ask(
    arguments: argparse.Namespace,
    here: Folders,
    verb: str,
    path: str,
    parameters: Mapping[str, object],
) -> Mapping[str, object]:
    async with asking(arguments, here) as connection:
        match verb:
            case "GET":
                answer = await connection.get(path, parameters)
            case "POST":
                answer = await connection.post(path, parameters)
            case "PATCH":
                answer = await connection.patch(path, parameters)
            case "PUT":
                answer = await connection.put(path, parameters)
            case _:
                answer = await connection.delete(path, parameters)
    return answer.data


def request_of(words: Sequence[str]) -> tuple[str, str, Mapping[str, str]]:
    """Return verb, path and parameters of `[VERB] PATH [NAME=VALUE …]`; raises ConfigError.

    The path is written as in the API's documentation, with or without `/api/v1/`. A value of `-` is standard
    input.
    """
    verb, rest = ("GET", list(words))
    if rest and rest[0].upper() in VERBS:
        verb = rest.pop(0).upper()
    if not rest:
        raise ConfigError("PATH is required, e.g. users/me")
    path = "/" + rest.pop(0).strip("/").removeprefix("api/v1/")
    if "?" in path or "#" in path or ".." in path.split("/"):
        raise ConfigError("parameters come after the path: NAME=VALUE.")
    parameters: dict[str, str] = {}
    for word in rest:
        name, equals, value = word.partition("=")
        if not (name and equals):
            raise ConfigError(f"{json.dumps(word)} is not a parameter; write NAME=VALUE.")
        parameters[name] = sys.stdin.read() if value == "-" else value
    return verb, path, parameters
