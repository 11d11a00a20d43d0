"""What services send to Slack, as people read it here."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server_lite.markup.slack import markdown, message_of
from tests.call_counter import calls


@pytest.mark.parametrize(
    ("slack", "here"),
    [
        ("*bold* and _slanted_ and ~gone~", "**bold** and *slanted* and ~~gone~~"),
        (
            "see <https://x.example/a?b=1&amp;c=2|the page>",
            "see [the page](https://x.example/a?b=1&c=2)",
        ),
        ("<https://x.example>", "https://x.example"),
        ("<@U12|ann> in <#C1|tea>, <!here> <!channel>", "@ann in #tea, @here @channel"),
        ("1 &lt; 2 &amp;&amp; `a_b_c *x*`", "1 < 2 && `a_b_c *x*`"),
        ("```\n*x* &gt; _y_\n```", "```\n*x* > _y_\n```"),
        ("snake_case_name 2*3*4", "snake_case_name 2*3*4"),
    ],
)
def test_slacks_marks_become_ours(slack: str, here: str) -> None:
    """Bold is bold, links are links, and code is left alone."""
    assert markdown(slack) == here


@pytest.mark.parametrize(
    "text",
    ["@**all**", "@_**Ann|2**", "@*team*", "<!**all**>", "<@U1|**Ann**>", "@&amp;#42;*", "*@*all*"],
)
def test_nobody_is_called_by_what_a_stranger_wrote(text: str) -> None:
    """The title of somebody's ticket calls nobody here, however it is wrapped."""
    block = {"type": "section", "text": {"type": "plain_text", "text": text}}
    for payload in ({"text": text}, {"blocks": [block]}, {"attachments": [{"title": text}]}):
        assert not re.search(r"@_?\*", message_of(payload))


def test_blocks_and_attachments_are_shown() -> None:
    """A report with blocks and attachments keeps its headings, fields, links and pictures."""
    payload: dict[str, Any] = {
        "text": "fallback",
        "blocks": [
            {"type": "header", "text": {"type": "plain_text", "text": "Build"}},
            {
                "type": "section",
                "text": {"type": "mrkdwn", "text": "*failed*"},
                "fields": [{"type": "mrkdwn", "text": "on main"}],
            },
            {"type": "divider"},
            {
                "type": "actions",
                "elements": [
                    {
                        "type": "button",
                        "text": {"type": "plain_text", "text": "Log"},
                        "url": "https://x/",
                    }
                ],
            },
            {"type": "image", "image_url": "https://x/a.png", "alt_text": "graph"},
            {
                "type": "rich_text",
                "elements": [
                    {
                        "type": "rich_text_section",
                        "elements": [
                            {"type": "text", "text": "rich "},
                            {"type": "link", "url": "https://y/", "text": "link"},
                        ],
                    }
                ],
            },
        ],
        "attachments": [
            {
                "title": "Commit",
                "title_link": "https://x/c",
                "fields": [{"title": "By", "value": "ann"}],
                "footer": "ci",
            },
            {"fallback": "only this"},
        ],
    }
    assert message_of(payload).split("\n\n") == [
        "## Build",
        "**failed**",
        "* on main",
        "----",
        "[Log](https://x/)",
        "[graph](https://x/a.png)",
        "rich [link](https://y/)",
        "## [Commit](https://x/c)",
        "* **By**: ann",
        "*ci*",
        "only this",
    ]
    assert message_of({"text": "just this"}) == "just this"


json = st.recursive(
    st.none() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "text", "elements", "blocks", "fields", "url", "attachments"]),
            inner
            | st.sampled_from(["section", "rich_text", "context", "actions", "image", "mrkdwn"]),
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=60)
@given(blocks=json, attachments=json)
def test_whatever_is_sent_there_is_a_message(blocks: Any, attachments: Any) -> None:
    """Values of any shape are no error."""
    assert isinstance(message_of({"blocks": blocks, "attachments": attachments}), str)


@pytest.mark.parametrize("unit", ["`", "`a`", "<@", "*a* ", "&lt;", "@*"])
def test_a_megabyte_costs_no_more_than_a_long_message(unit: str) -> None:
    """A service with a key does not hold everybody up, whether it sends one text or thousands."""
    long = unit * (60_000 // len(unit))
    section = {"type": "section", "fields": [{"text": long[:1500]}] * 200}
    for payload in (
        {"text": long},
        {"blocks": [section]},
        {"attachments": [{"fields": [{"title": "a", "value": long[:1500]}] * 200}]},
    ):
        often = {
            name: value * 5 if isinstance(value, str) else [*value, *value]
            for name, value in payload.items()
        }
        once, more = calls(lambda: message_of(payload)), calls(lambda: message_of(often))  # noqa: B023  # called at once
        assert more <= once + 10_000
    assert len(message_of({"text": long * 5})) <= len(message_of({"text": long})) <= 80_000
