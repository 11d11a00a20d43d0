"""What can be taken out of a message: text to copy, links to open, code, spoilers."""

from tui.content.extracts import code_blocks, links, plain_text, spoilers
from tui.content.parse import parse

SPOILER = (
    '<div class="spoiler-block"><div class="spoiler-header"><p>Film</p></div>'
    '<div class="spoiler-content"><p>He <a href="https://a.org">dies</a></p><pre>x</pre></div></div>'
)


def test_copied_text_keeps_its_structure() -> None:
    """A copied message still has its lists, quotes, code and tables."""
    html = (
        '<p>a <strong>b</strong><br>\nc <img alt=":blob:" class="emoji" src="/x"></p>'
        "<blockquote><p>q</p></blockquote>"
        '<ol start="3"><li>x<ul><li>y</li></ul></li><li>z</li></ol>'
        "<pre>code\n  two</pre><hr>"
        "<table><thead><tr><th>h</th><th>i</th></tr></thead><tr><td>1</td><td>2</td></tr></table>"
        '<div class="message_inline_image"><a href="/u/cat.png?s=1"><img src="/t.png"></a></div>'
    )
    assert plain_text(parse(html)).split("\n") == [
        "a b",
        "c :blob:",
        "> q",
        "3. x",
        "   - y",
        "4. z",
        "code",
        "  two",
        "---",
        "h | i",
        "1 | 2",
        "[cat.png]",
    ]


def test_spoilers_stay_hidden_in_notifications() -> None:
    """A notification does not tell how the film ends."""
    nodes = parse(SPOILER)
    assert plain_text(nodes) == "Film (…)"
    assert plain_text(nodes, reveal=True) == "Film\nHe dies\nx"


def test_links_code_and_spoilers_are_listed_in_order() -> None:
    """The link list of a message has all of them, the hidden ones too."""
    nodes = parse(
        f'{SPOILER}<p><a href="#narrow/channel/9-x">x</a></p><pre>y</pre>'
        '<table><tr><td><a href="/t">t</a></td></tr></table>'
        '<div class="message_inline_image"><a href="/u.png"><img src="/t.png"></a></div>'
    )
    hrefs = ["https://a.org", "#narrow/channel/9-x", "/t", "/u.png"]
    assert [link.href for link in links(nodes)] == hrefs
    assert [code.text for code in code_blocks(nodes)] == ["x", "y"]
    assert len(spoilers(nodes)) == 1
