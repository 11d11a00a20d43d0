"""What a linkifier makes of its example. Pure."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server_lite.markup import url_templates as of_the_server
from tui.view import url_templates
from tui.view.linkifiers import explained
from tui.view.patterns import Trial

FOUND = Trial(matched="#12", groups={"id": "12"})
LINK = "https://x.example/{id}"


def _said(trial: Trial = FOUND, example: str = "#12", link: str = LINK, reverse: str = "") -> str:
    return explained(trial, example=example, url_template=link, reverse=reverse, alternatives=())


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (_said(), "#12 → https://x.example/12"),
        (_said(example=""), "Enter an example"),
        (_said(Trial(error="missing )")), "Cannot be tried: missing )."),
        (_said(Trial(groups={"id": None})), "does not match"),
        (_said(example="see #12"), "matches only #12"),
        (_said(link="https://x/{id}{n}"), "needs {n}"),
        (_said(link="https://x"), "group id is not in the link"),
        (_said(link="https://x/{id"), "braces do not match"),
        (_said(reverse="#{id}"), "reverse: #12 ✓"),
        (_said(reverse="{{{id}}}"), "reverse: {12}, not the example"),
        (_said(reverse="#{n}"), "no group n"),
        (_said(reverse="#{id"), "braces do not match"),
        (_said(Trial(matched="#\x1b", groups={"id": "\x1b"}), "#\x1b"), "https://x.example/%1B"),
    ],
)
def test_what_does_not_fit_is_said_before_it_is_saved(said: str, words: str) -> None:
    """One sentence names what is wrong, or the link that comes out; never a control character."""
    assert words in said
    assert "\x1b" not in said


@settings(max_examples=50, deadline=None)
@given(
    template=st.text("{}+#./;?&=*:3,aé-", max_size=12),
    values=st.dictionaries(st.sampled_from("ae"), st.text(max_size=4), max_size=2),
)
def test_the_link_is_the_one_that_the_server_makes(template: str, values: dict[str, str]) -> None:
    """Whatever the template: what is shown while typing is what messages will have."""
    try:
        wanted = of_the_server.variables(template)
    except of_the_server.BadTemplate:
        assert url_templates.variables(template) is None
        return
    assert url_templates.variables(template) == wanted
    assert url_templates.expand(template, values) == of_the_server.expand(template, values)
