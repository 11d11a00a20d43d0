"""`chinwag send`: one message, sent once even if its answer gets lost. Prints its ID."""

import argparse
import asyncio
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from tui.api.destination import Destination, DirectDestination, TopicDestination
from tui.api.features import READ_BY_SENDER
from tui.api.model import MessageId, UserId
from tui.api.routes import flags
from tui.api.routes import messages as routes
from tui.api.routes import uploads as upload_routes
from tui.cli import lines, output
from tui.cli.account import opened
from tui.cli.retries import ATTEMPTS, pause
from tui.commands import files
from tui.commands.outbox import new_key
from tui.commands.uploads import link
from tui.config import Folders
from tui.content.sanitize import sanitize_line
from tui.errors import NO_VERDICT, ApiError, ConfigError, RateLimited
from tui.narrow import conversation_of, destination_of
from tui.narrow.naming import did_you_mean
from tui.store import Store
from tui.sync.machine import Sync

_SEPARATOR = re.compile("[>›]")


def run(arguments: argparse.Namespace, here: Folders) -> int:
    """Send the message of the arguments."""
    text = _text(arguments)
    message_id = asyncio.run(_send(arguments, here, text))
    output.show(lines.of_record({"id": message_id}) if arguments.json else str(message_id))
    return 0


def _text(arguments: argparse.Namespace) -> str:
    given: str | None = arguments.text
    if given is not None and given != "-":
        return given
    if given is None and arguments.file and sys.stdin.isatty():
        return ""
    try:
        return sys.stdin.buffer.read().decode().removesuffix("\n")
    except UnicodeDecodeError as error:
        raise ConfigError("standard input is not valid UTF-8.") from error


async def _send(arguments: argparse.Namespace, here: Folders, text: str) -> MessageId:
    async with opened(arguments, here) as sync:
        to = await _destination(sync, arguments)
        if arguments.key and not sync.store.realm.idempotency_keys:
            output.warn(
                "This server ignores --key: sending again with the same key sends a second message."
            )
        key = arguments.key or new_key()
        links = [
            await _upload(sync, path, f"{key}-{at}") for at, path in enumerate(arguments.file, 1)
        ]
        content = "\n".join([text, *links] if text.strip() else links)
        check_content(sync.store, content)
        return await deliver(sync, to, content, key)


def check_content(store: Store, content: str) -> None:
    """Refuse a message that is too long: the server would cut it silently. Raises ConfigError."""
    most = store.realm.limits.max_message_length
    if not content.strip():
        raise ConfigError("there is nothing to send.")
    if len(content) > most:
        raise ConfigError(f"the message has {len(content)} characters; {most} are allowed.")


async def _upload(sync: Sync, path: Path, key: str) -> str:
    limit = sync.store.realm.limits.max_file_upload_size_mib
    with files.opened(path, most_mib=limit) as (file, _):
        sent = await upload_routes.upload(
            sync.connection,
            file=file,
            filename=path.name,
            progress=lambda _: None,
            idempotency_key=key,
        )
    return link(sent.filename or path.name, sent.url)


async def deliver(sync: Sync, to: Destination, content: str, key: str) -> MessageId:
    """Send a message, repeating a request without an answer where the server has idempotency keys; return its
    ID.
    """
    for attempt in range(1, ATTEMPTS + 1):
        try:
            sent = await routes.send(
                sync.connection,
                destination=to,
                content=content,
                queue_id=None,
                local_id=None,
                idempotency_key=key,
            )
        except (*NO_VERDICT, RateLimited) as error:
            seconds = pause(error, attempt)
            is_doubtful = error.may_have_arrived and not sync.store.realm.idempotency_keys
            if is_doubtful:
                raise ConfigError(f"{error} The message may have been sent.") from error
            if seconds is None:
                raise
            await asyncio.sleep(seconds)
        else:
            if not READ_BY_SENDER.is_in(sync.store.realm.feature_level):
                with suppress(ApiError):  # the message is sent, whatever becomes of this
                    await flags.update(
                        sync.connection, message_ids=[sent.id], op="add", flag="read"
                    )
            return sent.id
    raise AssertionError("the last attempt returns or raises")


# Destination


async def _destination(sync: Sync, arguments: argparse.Namespace) -> Destination:
    if arguments.reply_to is not None:
        message_id = MessageId(arguments.reply_to)
        message = await routes.get(sync.connection, message_id=message_id, apply_markdown=True)
        return destination_of(conversation_of(message))
    if arguments.dm:
        return people_of(sync.store, arguments.dm.split(","))
    return _place(sync.store, arguments.to)


def _place(store: Store, text: str) -> TopicDestination:
    """Return the destination of `#design > colors`; of several readings the first that names a channel."""
    bare = text.strip().lstrip("#◆")
    cuts = [(match.start(), match.end()) for match in _SEPARATOR.finditer(bare)]
    for start, end in [*cuts, (len(bare), len(bare))]:
        channel_id = store.channels.find(bare[:start].strip())
        if channel_id is not None:
            return TopicDestination(channel_id=channel_id, topic=bare[end:].strip())
    name = bare[: cuts[0][0]].strip() if cuts else bare
    is_person = not cuts and store.users.meant(name)
    hint = " For a direct message, use --dm." if is_person else similar_channel(store, name)
    raise ConfigError(f"there is no channel “{sanitize_line(name)}” here.{hint}")


def similar_channel(store: Store, name: str) -> str:
    """Return a question, after a blank, with the channel that `name` may mean; "" if there is none."""
    names = store.channel_names
    meant = [names[each] for each in store.channels.meant(name)]
    return did_you_mean(meant[0] if meant else name, names.values())


def people_of(store: Store, words: Iterable[str]) -> DirectDestination:
    """Return the destination of people by name or email, `me` for the user. Raises ConfigError."""
    user_ids: set[UserId] = set()
    for part in filter(None, (each.strip() for each in words)):
        user_id = store.self_id if part == "me" else store.user_id(part)
        if user_id is None:
            hint = did_you_mean(part, (each.full_name for each in store.users.by_id.values()))
            raise ConfigError(f"no person matches “{sanitize_line(part)}”.{hint}")
        user_ids.add(user_id)
    if not user_ids:
        raise ConfigError("a direct message needs a recipient.")
    return DirectDestination(user_ids=frozenset(user_ids))
