"""Texts of an export as they are on this server: paths of files, names of topics. Pure."""

import re
from functools import lru_cache
from typing import Final

from server_lite.access.message_validation import clean_topic, is_writable
from server_lite.access.uploads import REALM

_LINK: Final = re.compile(r"/user_uploads/[0-9]{1,19}/")


def content_here(text: str) -> str:
    """A message with the paths of files as they are here, and without what no text holds."""
    text = text.replace("\0", "")
    return _LINK.sub(f"/user_uploads/{REALM}/", text) if "/user_uploads/" in text else text


@lru_cache(maxsize=10_000)
def topic_here(name: str) -> str:
    """A topic; the name that stood for none before there were empty ones is the empty one."""
    return clean_topic("".join(character for character in name if is_writable(character)))
