"""![alt](/user_uploads/…): an uploaded image, audio or video in its place in the text. Pure."""

from markdown_it.rules_inline import StateInline

from server_lite.markup.context import context_of
from server_lite.markup.previews import inline_media
from server_lite.markup.rules.link import parsed_target
from server_lite.markup.rules.output import push_html
from server_lite.markup.urls import path_id_of


def image(state: StateInline, silent: bool) -> bool:  # noqa: ARG001  # the parser's signature
    """Parse an upload of this server; other images stay text around a link."""
    if state.linkLevel > 0 or not state.src.startswith("![", state.pos):
        return False
    context = context_of(state)
    target = parsed_target(state, state.pos + 1)
    path_id = path_id_of(target.href) if target else None
    if target is None or path_id is None:
        return False
    upload = context.upload(path_id)
    media = inline_media(upload, target.href, target.text) if upload else None
    if upload is None or media is None:
        return False
    context.path_ids.setdefault(path_id)
    context.has_image |= upload.content_type.startswith("image/")
    push_html(state, media)
    state.pos = target.end
    return True
