"""Templates for JSON of any service: values are text, and no template or payload is too much."""

from typing import Any

import pytest

from server_lite.errors import ApiError
from server_lite.integrations import template

PAYLOAD: dict[str, Any] = {
    "name": "kettle",
    "build": {"number": 7, "ok": True, "ratio": 0.5},
    "tags": ["a", "b"],
    "items": [{"title": "x*y", "by": {"name": "Ada"}}, {"title": "z"}],
    "title": "outer",
    "text": "two\nlines @**all**",
    "at": "@",
    "all": "**all**",
    "hidden": "@\x01**all**",
    "empty": [],
    "nothing": None,
}


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("Build {{build.number}} of {{ name }}", "Build 7 of kettle"),
        ("{{build.ok}} {{build.ratio}} {{tags}} {{tags.1}}", 'true 0.5 &#91;"a","b"&#93; b'),
        ("{{missing}}{{build.number.x}}{{tags.9}}{{nothing}}.", "."),
        ("{{#items}}* {{title}} {{by.name}}\n{{/items}}", "* x&#42;y Ada\n* z \n"),
        ("{{#tags}}{{.}},{{/tags}}", "a,b,"),
        ("{{#build}}{{number}} {{title}}{{/build}}", "7 outer"),
        ("{{#build.ok}}good{{/build.ok}}{{^build.ok}}bad{{/build.ok}}", "good"),
        ("{{^empty}}none{{/empty}}{{#empty}}some{{/empty}}", "none"),
        ("{{text}}|{{{text}}}", "two lines @&#42;&#42;all&#42;&#42;|two\nlines @\u200b**all**"),
        ("{{{at}}}{{{all}}} {{at}}**{{name}}**", "@\u200b**all** @\u200b**kettle**"),
        ("{{{at}}}{{missing}}{{{all}}} @{{{all}}}", "@\u200b**all** @\u200b**all**"),
        ("@**{{name}}** {{{hidden}}}", "@**kettle** @\u200b\x01**all**"),
        ("{{! a comment}}{ {x} }", "{ {x} }"),
    ],
)
def test_values_stand_in_their_places(source: str, shown: str) -> None:
    """A field, a list, a part that is only there if something is."""
    assert template.content(template.parse(source), PAYLOAD) == shown


def test_a_topic_is_no_markdown() -> None:
    """Signs stay as they are there."""
    assert template.topic(template.parse("{{items.0.title}} <b>"), PAYLOAD) == "x*y <b>"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("{{#a}}x", "section 'a' is not closed"),
        ("{{#a}}{{#b}}{{/a}}{{/b}}", "section 'b' is not closed"),
        ("x{{/a}}", "closes no section"),
        ("{{a b}}", "'a b' is not the name"),
        ("{{a..b}}", "is not the name"),
        ("{{__class__()}}", "is not the name"),
        ("{{}}", "is not the name"),
        ("{{#a}}" * 6 + "{{/a}}" * 6, "more than 5 sections"),
        ("x" * 5001, "too long"),
    ],
)
def test_a_template_that_is_no_template_is_refused(source: str, said: str) -> None:
    """When the bot is made, and not when a service posts."""
    with pytest.raises(ApiError, match=said):
        template.parse(source)


def test_no_template_takes_long() -> None:
    """Loops in loops over long lists end after so many steps, and so many characters."""
    long: dict[str, object] = {"a": ["x" * 10_000] * 1000, "b": ["y" * 1000] * 50}
    source = "{{#a}}{{{.}}}{{{b}}}{{/a}}"
    assert len(template.content(template.parse(source), long)) <= template.MAX_OUTPUT
    nested = "{{#a}}{{#a}}{{#a}}{{#a}}x{{/a}}{{/a}}{{/a}}{{/a}}"
    assert len(template.content(template.parse(nested), {"a": list(range(1000))})) < 2000
