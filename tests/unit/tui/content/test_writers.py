"""Messages written into files: the same words and structure, and nothing in them that a reader's program obeys."""

from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from markdown_it import MarkdownIt

from tests.unit.tui.content.markup_strategy import soup
from tui.content.extracts import plain_text
from tui.content.html_writer import blocks_as_html
from tui.content.markdown_writer import blocks_as_markdown, escaped
from tui.content.parse import parse

SITE = "https://chat.example.com"
SPOILER = (
    '<div class="spoiler-block"><div class="spoiler-header"><p>Film</p></div>'
    '<div class="spoiler-content"><p>He dies</p></div></div>'
)
TABLE = (
    '<table><thead><tr><th style="text-align: right">a|b</th></tr></thead>'
    "<tbody><tr><td>1</td></tr></tbody></table>"
)
WRITTEN = [
    ("<p>a <strong>b</strong> <em>c</em></p>", "a **b** *c*", "<p>a <strong>b</strong> <em>c</em></p>"),
    ("<p>a<br>\nb</p>", "a\\\nb", "<p>a<br>b</p>"),
    ("<h1>Big</h1>", "**Big**", "<p><strong>Big</strong></p>"),
    ("<p># no</p><p>1. no</p>", "\\# no\n\n1\\. no", "<p># no</p>\n<p>1. no</p>"),
    ("<p>snake_case &lt;b&gt;</p>", "snake_case \\<b>", "<p>snake_case &lt;b&gt;</p>"),
    ("<blockquote><p>q</p></blockquote>", "> q", "<blockquote><p>q</p></blockquote>"),
    (
        '<ol start="3"><li>x<ul><li>y</li></ul></li></ol>',
        "3. x\n\n   - y",
        '<ol start="3"><li><p>x</p>\n<ul><li><p>y</p></li></ul></li></ol>',
    ),
    ("<pre>a ``` b</pre>", "````\na ``` b\n````", "<pre><code>a ``` b</code></pre>"),
    ("<p><code>a`b</code></p>", "``a`b``", "<p><code>a`b</code></p>"),
    (
        '<p><a href="/user_uploads/1/a.txt">a</a></p>',
        f"[a](<{SITE}/user_uploads/1/a.txt>)",
        f'<p><a href="{SITE}/user_uploads/1/a.txt" rel="noopener noreferrer">a</a></p>',
    ),
    ('<p><a href="javascript:alert(1)">a</a></p>', "a", "<p>a</p>"),
    (
        '<div class="message_inline_image"><a href="/u/cat.png"><img src="/t.png"></a></div>',
        f"[cat.png](<{SITE}/u/cat.png>)",
        f'<p><a href="{SITE}/u/cat.png" rel="noopener noreferrer">[cat.png]</a></p>',
    ),
    (SPOILER, "Film\n\n> He dies", "<details><summary><p>Film</p></summary>\n<p>He dies</p>\n</details>"),
    (
        TABLE,
        "| a\\|b |\n| --: |\n| 1 |",
        '<table><tr><th class="right">a|b</th></tr><tr><td class="right">1</td></tr></table>',
    ),
]  # fmt: skip
ATTRIBUTES = {"href", "rel", "start", "datetime", "class"}
TAGS = {
    "p",
    "br",
    "code",
    "strong",
    "em",
    "del",
    "ins",
    "mark",
    "a",
    "b",
    "time",
    "ul",
    "ol",
    "li",
    "blockquote",
    "pre",
    "details",
    "summary",
    "hr",
    "table",
    "tr",
    "th",
    "td",
}


class _Parts(HTMLParser):
    """Tags, attributes and text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: dict[str, str] = {}
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name: value or "" for name, value in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize(("html", "markdown", "page"), WRITTEN)
def test_a_message_keeps_its_structure(html: str, markdown: str, page: str) -> None:
    """In Markdown and on a page; titles and links that are none stay words."""
    assert blocks_as_markdown(parse(html), SITE) == markdown
    assert blocks_as_html(parse(html), SITE) == page


@given(soup)
@example('<p><a href="https://a.org/&quot; onclick=&quot;x">a</a></p>')
def test_a_page_has_no_tag_or_attribute_of_a_stranger(html: str) -> None:
    """Whatever the server sends: our tags, web addresses, the words."""
    parts = _Parts(blocks_as_html(parse(html), SITE))
    assert parts.tags <= TAGS
    assert parts.attributes.keys() <= ATTRIBUTES
    assert parts.attributes.get("href", "https://").startswith(("https://", "http://"))


@given(soup)
@example("<p>![a](https://a.org/x.png) &lt;script&gt;x&lt;/script&gt;</p>")
@example("<p>Boss<br>===</p><p>    code</p><ul><li># x</li></ul>")
@example("<blockquote><p>- - -</p></blockquote><p>***</p><p>a&amp;lt;b</p>")
def test_markdown_has_no_html_picture_or_heading_of_a_stranger(html: str) -> None:
    """A message cannot look like the next message's author, and a viewer loads nothing."""
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    tokens = reader.parse(blocks_as_markdown(parse(html), SITE))
    kinds = {token.type for token in tokens}
    kinds |= {child.type for token in tokens for child in token.children or ()}
    assert not kinds & {"html_block", "html_inline", "image", "heading_open"}


@pytest.mark.parametrize("text", ["a*b*c", "_x_", "1) y", "- z", "&amp;", "`q`", "[l](m)", "a\\b"])
def test_escaped_text_says_the_same(text: str) -> None:
    """Names and lines of text come out as they were."""
    for written in (escaped(text), blocks_as_markdown(parse(f"<p>{text}</p>"), SITE)):
        page = _Parts(MarkdownIt("commonmark").render(written))
        assert page.text.strip() in (text, plain_text(parse(f"<p>{text}</p>")))
        assert page.tags == {"p"}
