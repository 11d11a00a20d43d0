"""`import` of a mailing list's archive: senders become people, subjects topics, attachments files."""

import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from server_lite.mail.reading import NoMail, read_mail
from server_lite.store.connection import Db
from server_lite.store.database import Database
from tests.unit.server_lite.cli.conftest import Command
from tests.unit.server_lite.cli.conftest import command as command

FIRST = b"""From ann@x.org Sun Sep 13 12:00:00 2020
From: Ann Arbor <ann@x.org>
Subject: [tea] Which =?utf-8?q?Kr=C3=A4uter?=?
Date: Sun, 13 Sep 2020 14:00:00 +0200
Message-ID: <1@x.org>
List-Id: Tea lovers <tea.lists.x.org>

Which one, @**all**?

>From here on it is quoted.
"""
ANSWER = b"""From ben@x.org Sun Sep 13 13:00:00 2020
From: =?iso-8859-1?q?Ben_B=F6il?= <BEN@x.org>
Subject: AW: Re: something else
Date: Sun, 13 Sep 2020 15:00:00 +0200
Message-ID: <2@x.org>
In-Reply-To: <1@x.org>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: multipart/alternative; boundary=c

--c
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Gr=FCn!
--c
Content-Type: text/html

<p>Gr&uuml;n!</p>
--c--
--b
Content-Type: text/csv; name="a b.csv"
Content-Disposition: attachment; filename="a b.csv"
Content-Transfer-Encoding: base64

YSxiCg==
--b--
"""
EARLIER = b"""From zoe Sun Sep 13 11:00:00 2020
From: zoe
Date: Sun, 13 Sep 2020 13:00:00 +0200
Message-ID: <3@x.org>
Content-Type: text/html

<style>p{}</style><p>Hello <b>all</b></p><p>Bye</p>
"""
MAILBOX = b"\n".join((FIRST, ANSWER, EARLIER, FIRST))


@contextmanager
def opened(db: Path) -> Iterator[Db]:
    """The organization that was made."""
    database = Database(db)
    try:
        yield database.reader
    finally:
        database.close()


def test_a_mailing_list_becomes_a_channel(tmp_path: Path, command: Command) -> None:
    """In the order of time; an answer stays in its topic whatever its subject is."""
    path, db = tmp_path / "tea.mbox", tmp_path / "new.db"
    path.write_bytes(MAILBOX)
    done = command("import", path, "--db", db)
    assert (done.code, done.err) == (0, "")
    assert "Not imported: mails that are in the file twice (1)." in done.out
    with opened(db) as there:
        assert there.rows("SELECT full_name, email FROM user WHERE id > 1 ORDER BY id") == [
            ("Ann Arbor", "ann@x.org"),
            ("Ben Böil", "BEN@x.org"),
            ("zoe", "zoe@mail.invalid"),
        ]
        assert there.column("SELECT name FROM channel") == ["Tea lovers"]
        messages = there.rows(
            "SELECT sender_id, topic.name, content, timestamp FROM message"
            " JOIN topic ON topic.id = topic_id ORDER BY message.id"
        )
        text = "Which one, @\u200b**all**?\n\nFrom here on it is quoted."
        link = "[a b.csv](/user_uploads/1/mail/1/a-b.csv)"
        assert messages == [
            (4, "no subject", "Hello all\nBye", 1599994800.0),
            (2, "Which Kräuter?", text, 1599998400.0),
            (3, "Which Kräuter?", f"Grün!\n\n{link}", 1600002000.0),
        ]
        assert there.rows("SELECT name, size, content_type FROM upload") == [
            ("a b.csv", 4, "text/csv")
        ]
        assert there.column("SELECT flag FROM flag") == []


def test_pictures_of_one_name_in_one_mail_all_arrive(tmp_path: Path, command: Command) -> None:
    """Screenshots are all called alike; a later archive with one more mail adds only that."""
    part = b'--b\nContent-Type: image/png; name="image.png"\n\n%d\n'
    head = b"Content-Type: multipart/mixed; boundary=b\n\n"
    mail = FIRST.partition(b"\n\n")[0] + b"\n" + head + part % 1 + part % 22 + b"--b--\n"
    path, db = tmp_path / "tea.mbox", tmp_path / "new.db"
    for content, files in ((mail, ["1", "22"]), (mail + b"\n" + ANSWER, ["1", "22", "a,b\n"])):
        path.write_bytes(content)
        done = command("import", path, "--db", db)
        assert (done.code, done.err) == (0, "")
        with opened(db) as there:
            stored = there.column("SELECT data FROM upload_slice ORDER BY upload_id")
            assert [data.decode() for data in stored] == files
            assert there.value("SELECT count(*) FROM upload_link") == len(files)


@pytest.mark.parametrize(
    "header",
    [
        b"Date: not a date",
        b"Date: Sun, 99 Sep 99999999 99:99:99 +9999",
        b"Subject: =?x-unknown?q?a?= =?utf-8?b?!!!?=",
        b"Subject: " + b"[a]" * 5000,
        b"Subject: " + b"Re: " * 5000,
        b"Subject: \x1b[2J\x00\xff",
        b"From: " + b"<" * 5000,
        b"From: \xff\xfe <@@@>",
        b"From: Eve <eve@example.cxn-->",
        b"Content-Type: text/plain; charset=nothing",
        b"Content-Type: multipart/mixed",
        b"Content-Type: ;;;",
        b"Content-Transfer-Encoding: base64",
        b"Content-Disposition: attachment; filename*=x'y'%ZZ",
        b"References: " + b"<a@b> " * 5000,
    ],
)
def test_whatever_a_header_says_it_is_read(tmp_path: Path, command: Command, header: bytes) -> None:
    """A mail of anybody never stops the import of the others."""
    path = tmp_path / "a.mbox"
    path.write_bytes(MAILBOX + b"\nFrom x\n" + header + b"\n\nbody\n")
    done = command("import", path, "--db", tmp_path / "new.db")
    assert (done.code, done.err) == (0, "")


def test_no_bytes_stop_the_reader() -> None:
    """A mail is read, or it is none."""
    chance = random.Random(6)
    nested = b"".join(
        b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n" % (at, at) for at in range(2000)
    )
    mails = [nested, b"", b"\n", b"\xff" * 1000]
    for source in (FIRST, ANSWER, EARLIER):
        for _ in range(60):
            damaged = bytearray(source)
            for _ in range(8):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            mails.append(bytes(damaged))
    for mail in mails:
        with suppress(NoMail):  # any other error fails the test
            read_mail(mail)
