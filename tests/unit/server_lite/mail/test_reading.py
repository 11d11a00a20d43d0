"""An email is read whatever its headers are, and none of them takes long."""

import time

import pytest

from server_lite.mail.reading import read_mail


@pytest.mark.parametrize(
    ("header", "files"),
    [
        (b"Content-Type: text/plain; charset*=a\0b''utf-8", []),
        (b"Content-Type: a/b; name*=a\0b''plan.pdf", ["file"]),
        (b"Content-Disposition: attachment; filename*=undefined''%ff.pdf", ["file"]),
        (b"Content-Type: a/b; name*" + b"9" * 5000 + b"*=plan.pdf", ["file"]),
        (b"To: " + b"(" * 2000, []),
        (b"X-Long: " + b"x" * 100_000, []),
    ],
)
def test_a_header_that_nobody_would_write_costs_only_itself(
    header: bytes, files: list[str]
) -> None:
    """The author, the subject and the files are there: the mail server is not told of a crash."""
    mail = read_mail(b"From: ann@example.com\nSubject: Tea\n" + header + b"\n\nNow?")
    assert (mail.address, mail.subject) == ("ann@example.com", "Tea")
    assert [file.name for file in mail.files] == files
    assert files or mail.text == "Now?"


def test_an_author_in_a_thousand_brackets_is_no_author() -> None:
    assert read_mail(b"From: " + b"(" * 2000 + b"\n\nNow?").address == ""


def test_a_megabyte_of_parameters_is_not_read() -> None:
    """The library needs the square of their length."""
    began = time.process_time()
    read_mail(b"Content-Type: text/plain; " + b"a=b;" * 250_000 + b"\n\nNow?")
    assert time.process_time() - began < 2.0


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (b"<p>Now?</p><![x", "Now?"),
        (b"<![<![<!x><p>Now?</p>", "Now?"),
        (b"<![if !mso]><p>Now?</p><![endif]>", "Now?"),
        (b"<![CDATA[x]]><p>Now?</p>", "Now?"),
        (b"<p>Now, R&D", "Now, R&D"),
        (b"Now?<a href='", "Now?"),
    ],
)
def test_html_that_nobody_would_write_is_read(html: bytes, text: str) -> None:
    """One such email in an archive of ten thousand does not end its import."""
    assert read_mail(b"From: ann@example.com\nContent-Type: text/html\n\n" + html).text == text
