"""`mail`: what a mail server hands over becomes a message, once, and the exit code says what to do."""

import argparse
import asyncio
import base64
import io
from pathlib import Path
from typing import Any, Final

import pytest

from server_lite.access.channel_email import address_of, read_address
from server_lite.cli import mail as command_of_mail
from server_lite.cli.admin_client import ask
from server_lite.store import channels, secret_key, users
from server_lite.store.database import Database
from server_lite.store.users import NOTIFICATION_BOT
from tests.api.cli.test_administration import server_info
from tests.live import live
from tests.unit.server_lite.cli.conftest import Command

HEAD: Final = "From: Ann Arbor <ann@x.org>\nMessage-ID: <1@x.org>\nSubject: Re: Which tea?\n"


def address(db: Path) -> str:
    """The address of the channel `welcome`, as its owner has it."""
    database = Database(db)
    try:
        channel, owner = (
            channels.by_name(database.reader, "welcome"),
            users.first_owner(database.reader),
        )
        assert channel is not None
        assert owner is not None
        secret = secret_key.secret(secret_key.path_beside(db))
        return address_of(secret, channel, owner, NOTIFICATION_BOT, "chat.x.org")
    finally:
        database.close()


def newest(db: Path) -> tuple[str, str]:
    """(topic, content) of the last message."""
    database = Database(db)
    try:
        row: tuple[str, str] = database.reader.rows(
            "SELECT topic.name, content FROM message JOIN topic ON topic.id = topic_id"
            " ORDER BY message.id DESC LIMIT 1"
        )[0]
        return row
    finally:
        database.close()


def test_an_email_is_posted_once(team: Path, command: Command) -> None:
    """Its subject is the topic; the mail server may hand it over again, and names the recipient."""
    to, text = address(team), f"{HEAD}\nGreen, @**all**\n\n-- \nAnn\n"
    assert command("mail", "--db", team, to, stdin=text).code == 0
    shown = ("Which tea?", "**From:** Ann Arbor `ann@x.org`\n\nGreen, @\u200b**all**")
    assert newest(team) == shown
    assert command("mail", "--db", team, to.upper(), stdin=text).code == 0
    assert newest(team) == shown
    other = text.replace("1@x.org", "2@x.org")
    assert command("mail", "--db", team, to.replace("@", "+black@"), stdin=other).code == 0
    assert newest(team)[0] == "black"
    by_header = f"To: {to}\n{text.replace('1@x.org', '3@x.org')}".replace("Re: Which tea?", "")
    assert command("mail", "--db", team, stdin=by_header).code == 0
    assert newest(team)[0] == "Email with no subject"


@pytest.mark.parametrize(
    ("text", "to", "code"),
    [
        (f"{HEAD}\nx", "welcome.1.2.3.aaaaaaaaaaaaaaaaaaaa@chat.x.org", 67),
        (f"{HEAD}\nx", "ann@x.org", 67),
        (f"{HEAD}\nx", None, 67),
        ("", "", 65),
        ("\0\xff\n\n\n", "", 65),
        (f"Auto-Submitted: auto-replied\n{HEAD}\nI am away.", "", 0),
        (f"Precedence: bulk\n{HEAD}\nBuy!", "", 0),
        (f"Return-Path: <>\n{HEAD}\nNot delivered.", "", 0),
    ],
)
def test_the_exit_code_says_what_became_of_it(
    team: Path, command: Command, text: str, to: str | None, code: int
) -> None:
    """No such address, no email, or one that would go round and round: nothing is posted."""
    before, words = newest(team), [] if to is None else [to or address(team)]
    done = command("mail", "--db", team, *words, stdin=text)
    assert (done.code, done.out) == (code, "")
    assert newest(team) == before


def test_what_may_work_later_is_tried_later(tmp_path: Path, command: Command) -> None:
    """A database that is not there now: the mail server keeps the email."""
    done = command("mail", "--db", tmp_path / "none.db", "a@x.org", stdin=f"{HEAD}\nx")
    assert done.code == 75


def test_an_address_is_for_its_channel_alone(team: Path, command: Command) -> None:
    """Who knows one address can make no other; who may not post any more has none."""
    to = address(team)
    secret = secret_key.secret(secret_key.path_beside(team))
    name, channel, *rest = to.split(".", 2)
    assert read_address(secret, f"other.{channel}.{rest[0]}") == read_address(secret, to)
    assert read_address(secret, f"{name}.{channel}1.{rest[0]}") is None
    for odd in ("", "@", "a.b.c.d.e@x", f"{'9' * 30}.1.1.1.{'a' * 20}@x", "+@", "٣.٣.٣.٣.a@x"):
        assert read_address(secret, odd) is None
    command("user", "add", "--db", team, "--email", "b@x.org", "--name", "Bo", "--role", "owner")
    assert command("user", "deactivate", "--db", team, "--email", "o@x.org").code == 0
    done = command("mail", "--db", team, to, stdin=f"{HEAD}\nx")
    assert (done.code, "deactivated" in done.err) == (77, True)


async def test_who_waits_for_messages_gets_the_email_with_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The running server posts it; HTML is read where there is no text, and files are uploaded."""
    data = base64.b64encode(b"x" * 300_000).decode()
    text = (
        f"{HEAD}MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
        "Content-Type: text/html\n\n<p>See <a href='https://x.example/1'>this</a></p>\n--b\n"
        'Content-Type: text/csv\nContent-Disposition: attachment; filename="a*b.csv"\n'
        f"Content-Transfer-Encoding: base64\n\n{data}\n--b--\n"
    )
    async with live(tmp_path, mail_domain="chat.x.org") as server:
        ann = await server.person("Ann")
        made = await ann.post("channels/create", name="tea", subscribers=[ann.id])
        to = (await ann.get(f"streams/{made['id']}/email_address"))["email"]
        assert to.startswith("tea.")
        assert to.endswith("@chat.x.org")
        queue = await ann.post("register", event_types=["message"], apply_markdown=False)
        poll = asyncio.create_task(ann.events(queue, block=True))

        def carry_out(_: Path, command: str, **arguments: object) -> dict[str, Any]:
            return ask(server_info(server), command, arguments)

        monkeypatch.setattr(command_of_mail, "carry_out", carry_out)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        options = argparse.Namespace(db=tmp_path, address=to)
        assert await asyncio.to_thread(command_of_mail.deliver, options) == 0
        (event,) = await poll
        content = event["message"]["content"]
        assert "See this (https://x.example/1)" in content
        link = content.rpartition("](")[2].rstrip(")")
        assert content.endswith(f"[a&#42;b.csv]({link})")
        files = (await ann.get("attachments"))["upload_space_used"]
        assert files == 300_000
        mine = await ann.get(f"streams/{made['id']}/email_address", sender_id=ann.id)
        assert mine["email"] != to
