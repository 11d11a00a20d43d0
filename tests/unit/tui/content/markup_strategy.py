"""Arbitrary HTML for property tests: well-formed or not. No tests."""

from hypothesis import strategies as st

_TAGS = [
    "p",
    "b",
    "strong",
    "em",
    "del",
    "code",
    "pre",
    "a",
    "span",
    "div",
    "ul",
    "ol",
    "li",
    "blockquote",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "br",
    "hr",
    "img",
    "h1",
    "h7",
    "time",
    "video",
    "script",
    "u",
    "kbd",
]
_CLASSES = [
    "user-mention",
    "user-group-mention",
    "topic-mention",
    "emoji",
    "katex",
    "katex-display",
    "codehilite",
    "spoiler-block",
    "spoiler-header",
    "spoiler-content",
    "message_inline_image",
    "message_embed",
    "highlight",
    "k",
]

_texts = st.text(max_size=12) | st.sampled_from(
    ["word and word", "日本語", "\x1b[31m", "\u202e", "e\u0301", "&lt;x&gt;", "&#27;", "a\tb", "\n"]
)
_attributes = st.sampled_from(
    [
        "",
        *(f' class="{name}"' for name in _CLASSES),
        ' href="#narrow/channel/9-x/topic/y"',
        ' href="javascript:x"',
        ' data-user-id="7"',
        ' start="99999999999"',
        ' src="/x.png"',
        ' datetime="2030-01-31T08:00:00Z"',
        " class='",
    ]
)
_opened = st.builds("<{}{}>".format, st.sampled_from(_TAGS), _attributes)
_closed = st.builds("</{}>".format, st.sampled_from(_TAGS))
_scraps = st.sampled_from(["<", ">", "</", "<!--", "<?", "<![CDATA[", "&", "&#x110000;", '"', "/>"])

soup = st.lists(_texts | _opened | _closed | _scraps, max_size=25).map("".join)
