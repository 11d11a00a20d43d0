"""Previews of images and films: beneath the paragraph that links them, or where `![]()` puts them.

Pure: nothing is fetched; what is known of an upload comes from the lookup.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from markdown_it.token import Token

from server_lite.markup import html
from server_lite.markup.context import Context
from server_lite.markup.lookup import Upload
from server_lite.markup.urls import is_image, path_id_of

MAX_PREVIEWS: Final = 24

_YOUTUBE: Final = re.compile(
    r"https?://(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com/(?:watch\?(?:[^#\s]*&)?v=|embed/|shorts/)"
    r"|youtu\.be/)([0-9A-Za-z_-]{11})(?![0-9A-Za-z_-])"
)


def add_previews(tokens: Sequence[Token], context: Context) -> list[Token]:
    """The tokens with a preview after each paragraph for what it links; none inside quotes."""
    result: list[Token] = []
    seen: set[str] = set()
    quotes = 0
    for index, token in enumerate(tokens):
        result.append(token)
        if token.tag == "blockquote":
            quotes += token.nesting
        if token.type != "paragraph_close" or quotes:
            continue
        inline = tokens[index - 1]
        links = list(_links(inline.children or ()))
        drawn = [preview for link in links for preview in _new(context, seen, *link)]
        if drawn and _is_only_an_address(inline.children or (), links):
            del result[-3:]
        result += (Token("html", "", 0, content=f"{preview}\n") for preview in drawn)
    return result


def _links(children: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """Targets and words of the links in a paragraph."""
    for index, token in enumerate(children):
        if token.type == "address":
            yield str(token.attrs["href"]), token.content
        elif token.type == "link_open":
            following = children[index + 1]
            words = following.content if following.type == "text" else ""
            yield str(token.attrs["href"]), words


def _is_only_an_address(children: Sequence[Token], links: Sequence[tuple[str, str]]) -> bool:
    """A paragraph of one address says nothing that its preview does not."""
    if len(links) != 1 or links[0][0] != links[0][1]:
        return False
    return all(
        token.type in {"address", "link_open", "link_close"}
        or (token.type == "text" and token.content.strip() in {"", links[0][1]})
        for token in children
    )


def _new(context: Context, seen: set[str], href: str, words: str) -> Iterator[str]:
    """The preview of a link, unless it was shown already or there are enough."""
    if href in seen:
        return
    drawn = _preview(context, href, words)
    if drawn is None:
        return
    context.has_image |= "<img" in drawn
    if context.settings.image_previews and len(seen) < MAX_PREVIEWS:
        seen.add(href)
        yield drawn


def _preview(context: Context, href: str, words: str) -> str | None:
    path_id = path_id_of(href)
    if path_id is not None:
        upload = context.upload(path_id)
        return _uploaded(upload, href, words) if upload else None
    if is_image(href):
        return _boxed("message_inline_image", {"href": href}, html.tag("img", {"src": href}))
    if match := _YOUTUBE.match(href):
        source = f"https://i.ytimg.com/vi/{match[1]}/mqdefault.jpg"
        attributes = {"data-id": match[1], "href": href}
        image = html.tag("img", {"src": source})
        return _boxed("youtube-video message_inline_image", attributes, image)
    return None


def _uploaded(upload: Upload, href: str, words: str) -> str | None:
    titled = {"href": href, "title": words} if words and words != href else {"href": href}
    if upload.content_type.startswith("image/"):
        attributes = {**_original(upload), "src": upload.thumbnail or href}
        return _boxed("message_inline_image", titled, html.tag("img", attributes))
    if upload.content_type.startswith("video/"):
        film = html.element("video", {"preload": "metadata", "src": href}, "")
        return _boxed("message_inline_image message_inline_video", titled, film)
    return None


def _boxed(kind: str, link: html.Attributes, inner: str) -> str:
    return html.element("div", {"class": kind}, html.element("a", link, inner))


def _original(upload: Upload) -> dict[str, str]:
    """What the clients want to know of the file behind a thumbnail."""
    attributes: dict[str, str] = {}
    if upload.is_animated:
        attributes["data-animated"] = "true"
    attributes["data-original-content-type"] = upload.content_type
    if upload.dimensions:
        attributes["data-original-dimensions"] = "{}x{}".format(*upload.dimensions)
    return attributes


def inline_media(upload: Upload, href: str, words: str) -> str | None:
    """An uploaded image, sound or film in the place of its `![words](href)`."""
    if upload.content_type.startswith("image/"):
        attributes = {"alt": words, "class": "inline-image", **_original(upload)}
        source = {"data-original-src": href, "src": upload.thumbnail or href}
        return html.tag("img", {**attributes, **source})
    if upload.content_type.startswith("audio/"):
        sound = {"controls": "", "preload": "metadata", "src": href, "title": words}
        return html.element("audio", sound, "")
    if upload.content_type.startswith("video/"):
        return html.element("video", {"controls": "", "preload": "metadata", "src": href}, "")
    return None
