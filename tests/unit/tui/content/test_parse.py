"""From the HTML of a message to its nodes: nothing lost, nothing raised, whatever a server sends."""

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.call_counter import calls
from tests.unit.tui.content.markup_strategy import soup
from tui.api.model import ChannelId, MessageId, UserGroupId, UserId
from tui.content import nodes as n
from tui.content import tree
from tui.content.extracts import plain_text, unknown, walk
from tui.content.parse import _parse_blocks, parse
from tui.content.sanitize import sanitize
from tui.content.tree import MAX_DEPTH


def _inline(html: str) -> tuple[n.InlineNode, ...]:
    (paragraph,) = parse(f"<p>{html}</p>")
    assert isinstance(paragraph, n.Paragraph)
    return paragraph.children


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, tuple):
        return [text for part in value for text in _strings(part)]
    names = getattr(value, "__dataclass_fields__", {})
    return [text for name in names for text in _strings(getattr(value, name))]


@settings(max_examples=150, deadline=None)
@given(soup | st.text(max_size=60))
def test_any_text_becomes_sanitized_nodes(html: str) -> None:
    """No message, however broken, crashes the reader or reaches the terminal raw."""
    nodes = parse(html)
    assert all(sanitize(text) == text for text in _strings(nodes))
    plain_text(nodes)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.text(st.characters(exclude_characters="<>&"), max_size=12), max_size=3), soup)
def test_plain_paragraphs_need_no_parser_of_html(texts: list[str], other: str) -> None:
    """Most messages are a line or two: the nodes are the same as those of any other markup."""
    for words in (texts, ["\n".join(texts), " \r\n\t"], [*texts, other]):
        html = "\n".join(f"<p>{text}</p>" for text in words)
        assert parse(html) == _parse_blocks(tree.parse_tree(html).children)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(["<p>", "</p>", "<u>", "</u>", "<div class='x'>", "</div>", "<li>", "<ul>"])
        | st.sampled_from(["<table>", "<tr>", "<td>", "</table>", "<h2>", "<blockquote>", "<pre>"])
        | st.from_regex(r"[a-z]{1,6}", fullmatch=True),
        max_size=30,
    )
)
def test_no_word_is_lost(parts: list[str]) -> None:
    """Every word of a message can be read, in whatever it is wrapped."""
    wanted = sorted("".join(part for part in parts if part[0] != "<"))
    shown = re.sub(r"[^a-z]", "", plain_text(parse("".join(parts))))
    assert sorted(shown) == wanted


def test_white_space_is_that_of_html() -> None:
    """Several spaces in a paragraph are one, and none after a line break; code keeps all of its own."""
    nodes = _inline("a    previous \t message<br>\n   here <code>a  b</code>\xa0\xa0c")
    assert nodes == (
        n.Text("a previous message"),
        n.LineBreak(),
        n.Text("here "),
        n.InlineCode("a  b"),
        n.Text("\xa0\xa0c"),
    )
    assert plain_text(parse("<pre><code>a\n   b</code></pre>")) == "a\n   b"


def test_mentions_say_who_is_meant() -> None:
    """A mention knows its person or group, and whether it was silent."""
    nodes = _inline(
        '<span class="user-mention" data-user-id="1068">@Hank O\'Neil</span>'
        '<span class="user-mention silent" data-user-id="9">Zoe</span>'
        '<span class="user-mention" data-user-id="x">@?</span>'
        '<span class="user-group-mention silent" data-user-group-id="78">backend</span>'
        '<span class="user-mention" data-user-id="*">@all</span>'
        '<span class="user-mention channel-wildcard-mention">@channel</span>'
        '<span class="topic-mention silent">topic</span>'
    )
    assert nodes == (
        n.UserMention(text="@Hank O'Neil", user_id=UserId(1068)),
        n.UserMention(text="Zoe", user_id=UserId(9), silent=True),
        n.UserMention(text="@?", user_id=None),
        n.GroupMention(text="backend", group_id=UserGroupId(78), silent=True),
        n.WildcardMention(text="@all", audience="channel"),
        n.WildcardMention(text="@channel", audience="channel"),
        n.WildcardMention(text="topic", audience="topic", silent=True),
    )


def test_links_into_the_chat_know_their_place() -> None:
    """A link to a message opens it in its channel and topic."""
    (link,) = _inline(
        '<a class="message-link" href="/#narrow/channel/9-a/topic/b.20c/near/21">#a &gt; b c</a>'
    )
    assert link == n.ChatLink(
        href="/#narrow/channel/9-a/topic/b.20c/near/21",
        children=(n.Text("#a > b c"),),
        channel_id=ChannelId(9),
        topic="b c",
        message_id=MessageId(21),
        near=True,
    )


def test_emoji_time_and_formula() -> None:
    """Emoji are characters, times are moments, formulas keep their source."""
    nodes = _inline(
        '<span class="emoji emoji-1f1e9-1f1ea" role="img" title="germany">:germany:</span>'
        '<img alt=":blob:" class="emoji" src="/e/11.png" title="blob">'
        '<time datetime="2030-01-31T08:00:00Z">soon</time>'
        '<time datetime="2030-01-31T08:00:00">then</time>'
        '<span class="katex"><math><annotation encoding="application/x-tex">x</annotation></math>'
        '<span class="katex-html">x</span></span>'
    )
    assert nodes == (
        n.Emoji(text="🇩🇪", name="germany"),
        n.CustomEmoji(name="blob", src="/e/11.png"),
        n.Time(at=datetime(2030, 1, 31, 8, tzinfo=UTC), text="soon"),
        n.Time(at=datetime(2030, 1, 31, 8, tzinfo=UTC), text="then"),
        n.Math("x"),
    )


def test_mistakes_are_told_from_words_and_code() -> None:
    """A time or formula that the server could not read stands out, in the server's words."""
    nodes = _inline(
        '<span class="timestamp-error">Invalid time format: x</span>'
        '<span class="tex-error">$$\\bad$$</span>'
    )
    assert nodes == (n.Mistake("Invalid time format: x"), n.Mistake("$$\\bad$$"))


def test_code_has_its_language_and_kinds() -> None:
    """Code keeps every space, and what each word is."""
    (code,) = parse(
        '<div class="codehilite" data-code-language="JavaScript"><pre><span></span><code>'
        '<span class="kd">var</span> a\n  b\n</code></pre></div>'
    )
    assert code == n.CodeBlock(
        language="JavaScript", tokens=(n.Token("var", "kd"), n.Token(" a\n  b"))
    )


def test_previews_have_original_and_thumbnail() -> None:
    """A picture opens in full, and shows small."""
    (media,) = parse(
        '<div class="message_inline_image"><a href="/user_uploads/a.png" title="A">'
        '<img class="image-loading-placeholder" data-original-content-type="image/png" '
        'data-original-dimensions="19x10" data-animated src="/spinner.png"></a></div>'
    )
    assert media == n.Media(
        kind="image",
        href="/user_uploads/a.png",
        src="/spinner.png",
        title="A",
        size=(19, 10),
        content_type="image/png",
        animated=True,
        pending=True,
    )


def test_a_me_message_leaves_its_command_out() -> None:
    """`/me waves` is shown as the name and what they do."""
    html = "<p>/me waves <em>hi</em></p><p>more</p>"
    assert plain_text(parse(html, is_me_message=True)) == "waves hi\nmore"
    assert plain_text(parse(html)) == "/me waves hi\nmore"


def test_differences_between_versions_are_marked() -> None:
    """The history of a message shows what an edit added and took away."""
    (paragraph,) = parse(
        '<div><p>a <span class="highlight_text_inserted">new</span> '
        '<span class="highlight_text_deleted">old</span></p></div>'
    )
    assert paragraph == n.Paragraph(
        (
            n.Text("a "),
            n.Inserted((n.Text("new"),)),
            n.Text(" "),
            n.Deleted((n.Text("old"),)),
        )
    )


def test_unknown_elements_are_kept_and_counted() -> None:
    """What a newer server sends is read as text, and can be reported."""
    nodes = parse('<section class="new"><p>a</p></section><p><kbd>b</kbd></p>')
    assert plain_text(nodes) == "a\nb"
    assert [node.source for node in unknown(nodes)] == ["section.new", "kbd"]


def test_a_tower_of_elements_is_flattened() -> None:
    """A hostile message of a million tags costs its depth, not the program."""
    nodes = parse("<blockquote>" * 5000 + "deep" + "</blockquote>" * 5000 + "<p>after</p>")
    assert sum(isinstance(node, n.Quote) for node in walk(nodes)) == MAX_DEPTH
    assert plain_text(nodes).endswith("deep\nafter")


def test_elements_beyond_the_limit_lose_their_tags_only() -> None:
    """Depth is counted off again: what follows a tower stands where it was meant to."""
    nodes = parse("<blockquote>" * 60 + "</blockquote>" * 30 + "after")
    assert plain_text(nodes) == "> " * 30 + "after"


def test_too_many_elements_become_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message of endless tags is read as its text."""
    monkeypatch.setattr(tree, "MAX_ELEMENTS", 3)
    nodes = parse("<b>x</b>" * 9)
    assert len(unknown(nodes)) == 3
    assert plain_text(nodes) == "x" * 9


def test_an_endless_message_is_cut_visibly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message of many megabytes shows its start, and that there was more."""
    monkeypatch.setattr(tree, "MAX_CHARS", 20)
    assert plain_text(parse("<p>" + "x" * 900)) == "x" * 17 + "[…]"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a<!-- b --> c</p>", "a<!-- b --> c"),
        ("<!DOCTYPE x>a", "<!DOCTYPE x>a"),
        ("<?php x ?>a", "<?php x ?>a"),
        ("<p>a</1>c</p>", "a1c"),
        ("<script>x<b>y</b></script><p>z</p>", "xy\nz"),
        ("a < b <unfinished", "a < b <unfinished"),
        ("1 < 2 &amp; 3", "1 < 2 & 3"),
    ],
)
def test_odd_constructs_are_visible(html: str, text: str) -> None:
    """What no server should send is read as text and swallows nothing."""
    assert plain_text(parse(html)) == text


@pytest.mark.parametrize(
    "html",
    [
        '<div class="spoiler-block">one<div class="spoiler-header"><p>two</p></div>'
        '<div class="spoiler-content"><p>three</p></div></div>',
        '<div class="message_embed">one<div class="message_embed_title"><a href="/x">two</a></div>'
        "three</div>",
        '<div class="message_inline_image">one<img src="/x">two three</div>',
    ],
)
def test_odd_contents_of_known_blocks_are_visible(html: str) -> None:
    """A spoiler or preview of another form loses its form, not its words."""
    assert "".join(plain_text(parse(html)).split()).replace("[x]", "") == "onetwothree"


@pytest.mark.parametrize(
    "piece", ["<p>", "</", "<!--", "<![CDATA[", "<a ", "<a b='", "&#", "<", "<b>x</b>", "e\u0301"]
)
def test_bombs_take_linear_work(piece: str) -> None:
    """No message makes the client hang."""

    def work(count: int) -> int:
        return calls(lambda: parse(piece * count + ">"))

    assert work(2000) <= 2.2 * work(1000) + 200
