"""Converts texts of an export to this server's: paths of files, names of topics. Pure."""

import re
from functools import lru_cache
from typing import Final

from server_lite.access.message_validation import clean_topic, is_writable
from server_lite.access.uploads import REALM

_LINK: Final = re.compile(r"/user_uploads/[0-9]{1,19}/")


def content_here(text: str) -> str:
    """Return a message with the paths of files here, without characters that cannot be stored."""
    text = text.replace("\0", "")
    return _LINK.sub(f"/user_uploads/{REALM}/", text) if "/user_uploads/" in text else text


@lru_cache(maxsize=10_000)
def topic_here(name: str) -> str:
    """Return the topic; the placeholder used before empty topics existed becomes the empty topic."""
    return clean_topic("".join(character for character in name if is_writable(character)))
