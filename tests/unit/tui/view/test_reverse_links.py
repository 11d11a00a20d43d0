"""A pasted address becomes what a linkifier makes it of, or stays as it is."""

import time

import pytest

from tui.api.model import LinkifierId
from tui.api.organization import Linkifier
from tui.view.reverse_links import fits, short_form


def _linkifier(pattern: str, url: str, back: str | None, *others: str) -> Linkifier:
    return Linkifier(
        id=LinkifierId(1),
        pattern=pattern,
        url_template=url,
        example_input=None,
        reverse_template=back,
        alternative_url_templates=others,
    )


ISSUE = _linkifier(
    "#(?P<id>[0-9]+)",
    "https://git.example/tea/issues/{id}",
    "#{id}",
    "https://git.example/tea/pull/{id}",
)
REPO = _linkifier(
    r"(?P<org>[\w-]+)/(?P<repo>[\w-]+)#(?P<id>\d+)",
    "https://git.example/{org}/{repo}/issues/{id}",
    "{org}/{repo}#{id}",
)
FILE = _linkifier(
    r"file:(?P<path>[\w/.]+)", "https://git.example/blob/{+path}{?line}", "file:{path}"
)
SEARCH = _linkifier(r"q\{(?P<q>.+)\}", "https://find.example/{?q}", "q{{{q}}}")


@pytest.mark.parametrize(
    ("address", "short"),
    [
        ("https://git.example/tea/issues/123", "#123"),
        ("https://git.example/tea/pull/7", "#7"),
        ("https://git.example/cup/lid/issues/4", "cup/lid#4"),
        ("https://find.example/?q=two%20cups", "q{two cups}"),
        ("https://git.example/tea/issues/123?tab=2", None),
        ("https://git.example/tea/issues/123#note", None),
        ("https://git.example/tea/issues/abc", None),
        ("https://git.example/tea/issues/", None),
        ("http://git.example/tea/issues/123", None),
        ("see https://git.example/tea/issues/123", None),
        ("https://git.example/tea/issues/12%33", None),
        ("https://evil.example/?https://git.example/tea/issues/1", None),
    ],
)
def test_only_an_address_that_a_linkifier_makes_gets_short(address: str, short: str | None) -> None:
    """What is made of it in a message is the same address, or one the organization calls the same."""
    assert short_form(address, [ISSUE, REPO, FILE, SEARCH]) == short


def test_a_template_with_what_the_pattern_lacks_is_none() -> None:
    """Templates of others may be wrong in any way; nothing is made of those, and nothing raised."""
    address = "https://git.example/tea/issues/1"
    for pattern, url, back in (
        ("#(?P<id>[0-9]+)", ISSUE.url_template, "#{number}"),
        ("#(?P<id>[0-9]+", ISSUE.url_template, "#{id}"),
        ("#(?P<id>[0-9]+)", "https://git.example/tea/issues/{id:3}", "#{id}"),
        ("#(?P<id>[0-9]+)", "https://git.example/{x}/{x}/{id}", "#{id}"),
        ("#(?P<id>[0-9]+)", "https://git.example/tea/issues/{id", "#{id}"),
        ("(?P<id>x{1000}{1000})", ISSUE.url_template, "#{id}"),
        ("#(?P<id>[0-9]+)", ISSUE.url_template, None),
        ("no(?P<id>[0-9]+)", ISSUE.url_template, "#{id}"),
    ):
        assert short_form(address, [_linkifier(pattern, url, back)]) is None, (pattern, url, back)


def test_hostile_patterns_take_no_time() -> None:
    """What takes a backtracking matcher years is over at once."""
    names = [f"v{n}" for n in range(30)]
    url = "https://git.example/" + "".join(f"{{+{name}}}" for name in names) + "!"
    groups = "".join(f"(?P<{name}>(a|a)*)" for name in names)
    hostile = _linkifier(f"({groups})*$", url, "{v0}")
    began = time.process_time()
    assert short_form("https://git.example/" + "a" * 1900, [hostile] * 5) is None
    assert time.process_time() - began < 1.0


@pytest.mark.parametrize(
    ("before", "behind", "is_right"),
    [
        ("", "", True),
        ("see ", " please", True),
        ("one\n", "\ntwo", True),
        ("see", "", False),
        ("[this](", ")", False),
        ("`curl ", "`", False),
        ("```\ncurl ", "\n```", False),
        ("```\na\n```\n", "", True),
        ("", "abc", False),
    ],
)
def test_where_it_would_be_no_link_the_address_stays(
    before: str, behind: str, is_right: bool
) -> None:
    """In code, in a link, in a word."""
    assert fits(before, behind) is is_right
