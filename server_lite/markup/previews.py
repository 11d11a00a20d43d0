"""Previews of images and videos: below the paragraph that links them, or in the place of `![]()`.

Pure: nothing is fetched; data about an upload comes from the lookup.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from markdown_it.token import Token

from server_lite.dataclass import dataclass
from server_lite.markup import html
from server_lite.markup.context import Context
from server_lite.markup.lookup import Upload
from server_lite.markup.tokens import LightToken
from server_lite.markup.urls import is_image, is_video, path_id_of

MAX_PREVIEWS: Final = 24

_YOUTUBE: Final = re.compile(
    r"https?://(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com/(?:watch\?(?:[^#\s]*&)?v=|embed/|shorts/)"
    r"|youtu\.be/)([0-9A-Za-z_-]{11})(?![0-9A-Za-z_-])"
)


@dataclass(frozen=True, slots=True)
class _Link:
    """A link in a paragraph: its target, its text up to the first formatting, and whether it is
    in the paragraph itself and not within emphasis.
    """

    href: str
    text: str
    is_direct: bool

    @property
    def title(self) -> dict[str, str]:
        """The title attribute of a link that has its own text."""
        return {"title": self.text} if self.text not in {"", self.href} else {}


def add_previews(tokens: Sequence[Token], context: Context) -> list[Token]:
    """Return the tokens with previews of linked media, except for links inside quotes.

    A preview follows the paragraph or is in the item of the link; for links in headings, cells, emphasis,
    and for YouTube, it is at the end of the message.
    """
    below: dict[int, list[str]] = {}
    at_end: list[str] = []
    previews = _Shown(context)
    quotes = 0
    for index, token in enumerate(tokens):
        if token.tag == "blockquote":
            quotes += token.nesting
        if token.type != "inline" or quotes:
            continue
        is_paragraph = tokens[index - 1].tag == "p"
        here: list[str] = []
        for link in _links(token.children or ()):
            drawn = previews.preview(link)
            if drawn is not None:
                is_here = is_paragraph and link.is_direct and not _YOUTUBE.match(link.href)
                (here if is_here else at_end).append(drawn)
        if here:
            below[index + 1] = here
    return _placed(tokens, below, at_end)


def _placed(tokens: Sequence[Token], below: dict[int, list[str]], at_end: list[str]) -> list[Token]:
    """Return the tokens with previews after the closing tags given by `below`, and at the end."""
    result: list[Token] = []
    for index, token in enumerate(tokens):
        result.append(token)
        drawn = below.get(index)
        if drawn is None:
            continue
        if _is_only_an_address(tokens[index - 1].children or ()):
            del result[-3:]
            # A list item whose paragraphs have tags keeps the line break before them.
            if result and result[-1].tag == "li" and not token.hidden:
                drawn = ["\n", *drawn]
        result += (LightToken("html", "", 0, content=preview) for preview in drawn)
    return [*result, *(LightToken("html", "", 0, content=preview) for preview in at_end)]


def _links(children: Sequence[Token]) -> Iterator[_Link]:
    """Yield the links in a paragraph."""
    depth = 0
    for index, token in enumerate(children):
        if token.type == "address":
            yield _Link(str(token.attrs["href"]), token.content, depth == 0)
        elif token.type == "link_open":
            following = children[index + 1]
            text = following.content if following.type == "text" else ""
            yield _Link(str(token.attrs["href"]), text, depth == 0)
        depth += token.nesting


def _is_only_an_address(children: Sequence[Token]) -> bool:
    """Whether a paragraph is just one URL, which the preview replaces."""
    links = list(_links(children))
    if len(links) != 1 or links[0].href != links[0].text:
        return False
    return all(
        token.type in {"address", "link_open", "link_close"}
        or (token.type == "text" and token.content.strip() in {"", links[0].text})
        for token in children
    )


class _Shown:
    """The previews of a message so far."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._seen: set[str] = set()

    def preview(self, link: _Link) -> str | None:
        """Return the preview of a link, unless already shown or beyond the limit."""
        if link.href in self._seen or (self._context.has_image and len(self._seen) >= MAX_PREVIEWS):
            return None
        drawn = _preview(self._context, link)
        if drawn is None:
            return None
        self._context.has_image |= "<img" in drawn
        if not self._context.settings.image_previews or len(self._seen) >= MAX_PREVIEWS:
            return None
        self._seen.add(link.href)
        return drawn


def _preview(context: Context, link: _Link) -> str | None:
    path_id = path_id_of(link.href)
    if path_id is not None:
        upload = context.upload(path_id)
        return _uploaded(upload, link) if upload else None
    to_file = {"href": link.href, **link.title}
    if is_video(link.href):
        return _video(link.href, to_file)
    if is_image(link.href):
        return _boxed("message_inline_image", to_file, html.tag("img", {"src": link.href}))
    if match := _YOUTUBE.match(link.href):
        source = f"https://i.ytimg.com/vi/{match[1]}/mqdefault.jpg"
        attributes = {"data-id": match[1], "href": link.href}
        image = html.tag("img", {"src": source})
        return _boxed("youtube-video message_inline_image", attributes, image)
    return None


def _uploaded(upload: Upload, link: _Link) -> str | None:
    to_file = {"href": link.href, **link.title}
    if upload.content_type.startswith("image/"):
        attributes = {**_original(upload), "src": upload.thumbnail or link.href}
        return _boxed("message_inline_image", to_file, html.tag("img", attributes))
    if upload.content_type.startswith("video/"):
        return _video(link.href, to_file)
    return None


def _video(source: str, link: html.Attributes) -> str:
    video = html.element("video", {"preload": "metadata", "src": source}, "")
    return _boxed("message_inline_image message_inline_video", link, video)


def _boxed(kind: str, link: html.Attributes, inner: str) -> str:
    return html.element("div", {"class": kind}, html.element("a", link, inner))


def _original(upload: Upload) -> dict[str, str]:
    """Return the attributes that describe the file behind a thumbnail."""
    attributes: dict[str, str] = {}
    if upload.is_animated:
        attributes["data-animated"] = "true"
    attributes["data-original-content-type"] = upload.content_type
    if upload.dimensions:
        attributes["data-original-dimensions"] = "{}x{}".format(*upload.dimensions)
    return attributes


def inline_media(upload: Upload, href: str, text: str) -> str | None:
    """Return an uploaded image, audio or video in the place of its `![text](href)`."""
    if upload.content_type.startswith("image/"):
        attributes = {"alt": text, "class": "inline-image", **_original(upload)}
        source = {"data-original-src": href, "src": upload.thumbnail or href}
        return html.tag("img", {**attributes, **source})
    if upload.content_type.startswith("audio/"):
        sound = {"controls": "", "preload": "metadata", "src": href, "title": text}
        return html.element("audio", sound, "")
    if upload.content_type.startswith("video/"):
        return html.element("video", {"controls": "", "preload": "metadata", "src": href}, "")
    return None
