"""Linkifiers: which may be saved, what they match, and the URL templates behind them."""

import pytest

from server_lite.markup.linkifiers import MAX_HITS, Allowance, BadLinkifier, all_hits, check, hits
from server_lite.markup.lookup import Linkifier
from server_lite.markup.render import render
from server_lite.markup.url_templates import BadTemplate, expand, variables
from tests.unit.server_lite.markup.organization import Organization

TICKET = Linkifier(pattern=r"#(?P<id>[0-9]+)", url_template="https://t.example.com/{id}")


def _urls(text: str, *linkifiers: Linkifier) -> list[tuple[str, str]]:
    return [(text[hit.start : hit.end], hit.url) for hit in all_hits(text, linkifiers, Allowance())]


def test_neighbors_all_match() -> None:
    """The space between two tickets belongs to both."""
    assert [words for words, _ in _urls("#1 #2,#3 (#4) #5", TICKET)] == [
        "#1",
        "#2",
        "#3",
        "#4",
        "#5",
    ]


def test_places_are_counted_in_characters() -> None:
    """Letters of several bytes before a match do not shift it."""
    assert _urls("é日🐙 #1 \ud800 é #2", TICKET) == [
        ("#1", "https://t.example.com/1"),
        ("#2", "https://t.example.com/2"),
    ]


def test_the_first_linkifier_wins() -> None:
    """Where two patterns want the same words, the order of the list decides."""
    other = Linkifier(pattern=r"#(?P<n>[0-9]{2})", url_template="https://other.example.com/{n}")
    assert _urls("#42", TICKET, other) == [("#42", "https://t.example.com/42")]
    assert _urls("#42", other, TICKET) == [("#42", "https://other.example.com/42")]


def test_a_match_is_encoded_in_its_url() -> None:
    """What somebody typed cannot leave the place that the template gives it."""
    anything = Linkifier(pattern=r"x:(?P<rest>\S+)", url_template="https://t.example.com/{rest}")
    assert _urls("x:../a?b#c&d", anything) == [
        ("x:../a?b#c&d", "https://t.example.com/..%2Fa%3Fb%23c%26d")
    ]


def test_many_rules_on_many_words_end_somewhere() -> None:
    """Fifty rules that all match everywhere do not multiply the cost of a message."""
    allowance = Allowance()
    matches = all_hits("#1 " * 2000, [TICKET] * 50, allowance)
    assert len(matches) == MAX_HITS
    assert allowance.left == 0
    source = "\n\n".join(f"#{number}" for number in range(1100))
    rendered = render(source, Organization(patterns=(TICKET,)))
    assert rendered.html.count("<a ") == MAX_HITS


def test_a_linkifier_that_is_broken_does_no_harm() -> None:
    """A pattern that does not compile, matches nothing, or leads elsewhere leaves the text alone."""
    for pattern, template in (
        ("(", "https://x.io"),
        ("(?P<a>x*)", "https://x.io/{a}"),
        ("a", "javascript:alert(1)"),
        ("a", "//evil.com"),
        ("(?P<a>a)", "https://x.io/{a:}"),
    ):
        broken = Linkifier(pattern=pattern, url_template=template)
        assert render("a (b)", Organization(patterns=(broken,))).html == "<p>a (b)</p>"


@pytest.mark.parametrize(
    "template",
    ["https://t.example.com/{id}", "http://t.example.com/{?id}", "https://{id}.example.com"],
)
def test_good_linkifiers_may_be_saved(template: str) -> None:
    """An administrator can add an ordinary pattern."""
    check(Linkifier(pattern=TICKET.pattern, url_template=template))


@pytest.mark.parametrize(
    ("pattern", "template", "reason"),
    [
        ("", "https://x.io", "1 to 1000 characters"),
        ("a" * 1001, "https://x.io", "1 to 1000 characters"),
        ("(", "https://x.io", "Bad regular expression"),
        (r"(?=a)", "https://x.io", "Bad regular expression"),
        (r"(a)\1", "https://x.io", "Bad regular expression"),
        ("((a{100}){100}){100}", "https://x.io", "Bad regular expression"),
        ("#(?P<id>1)", "https://x.io/{id", "Invalid URL template"),
        ("#(?P<id>1)", "https://x.io/{other}", "'other' in URL template is not present"),
        ("#(?P<id>1)", "https://x.io/", "'id' in linkifier pattern is not present"),
        ("#(?P<id>1)", "javascript:{id}", "Invalid URL template"),
        ("#(?P<id>1)", "//x.io/{id}", "Invalid URL template"),
    ],
)
def test_bad_linkifiers_are_refused_with_a_reason(pattern: str, template: str, reason: str) -> None:
    """Who adds a linkifier that cannot work is told why."""
    with pytest.raises(BadLinkifier, match=reason):
        check(Linkifier(pattern=pattern, url_template=template))


@pytest.mark.parametrize(
    ("template", "url"),
    [
        ("{var}", "value"),
        ("{hello}", "Hello%20World%21"),
        ("{+hello}", "Hello%20World!"),
        ("{+path}/here", "/foo/bar/here"),
        ("X{#hello}", "X#Hello%20World!"),
        ("{x,y}", "1024,768"),
        ("X{.x,y}", "X.1024.768"),
        ("{/var,x}/here", "/value/1024/here"),
        ("{;x,y,empty}", ";x=1024;y=768;empty"),
        ("{?x,y,empty}", "?x=1024&y=768&empty="),
        ("?fixed=yes{&x}", "?fixed=yes&x=1024"),
        ("{var:3}", "val"),
        ("{/path*}", "/%2Ffoo%2Fbar"),
        ("a{missing}b{?missing}", "ab"),
        ("{self}", "me"),
        ("é/{x}", "%C3%A9/1024"),
    ],
)
def test_url_templates(template: str, url: str) -> None:
    """Templates give the URLs that RFC 6570 lists in its examples."""
    values = {
        "var": "value",
        "hello": "Hello World!",
        "path": "/foo/bar",
        "x": "1024",
        "y": "768",
        "empty": "",
        "missing": None,
        "self": "me",
    }
    assert expand(template, values) == url


def test_names_and_mistakes_in_templates() -> None:
    """The names that a template needs are known before it is used, and so are its mistakes."""
    assert variables("https://x.io/{a}{?b,c:3,d*}") == {"a", "b", "c", "d"}
    for template in ("{", "a}", "{a", "{}", "{a b}", "{a:}", "{a:0}", "{.,a}", "{=a}", "{!a}"):
        with pytest.raises(BadTemplate):
            variables(template)


@pytest.mark.parametrize(
    ("template", "text", "urls"),
    [
        ("{+id}", "T-https://x.io/a", ["https://x.io/a"]),
        ("{+id}", "T-javascript:alert", []),
        ("{+id}", "T-//x.io/a", []),
        ("mailto:{id}@x.io", "T-7", ["mailto:7@x.io"]),
        ("/help{/id}", "T-7", ["/help/7"]),
    ],
)
def test_any_template_leads_where_links_may_lead(template: str, text: str, urls: list[str]) -> None:
    """A template need not begin with a host; what a message makes of it is a link only if one may be."""
    linkifier = Linkifier(pattern=r"T-(?P<id>\S+)", url_template=template)
    check(linkifier)
    assert [hit.url for hit in hits(text, linkifier)] == urls
