"""Lines of a bulk export: small objects are read once, posts again in order of time. Reads only."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import orjson

from server_lite.data_import.checked import checked
from server_lite.data_import.mattermost import rows
from server_lite.errors import StartError
from server_lite.store.backups import Tell
from server_lite.store.scratch import Scratch

LONGEST: Final = 32 * 1024 * 1024
"""Maximum bytes of a line; a post contains its whole thread."""
_NO_REPLY: Final = -1

PostLine = tuple[str, rows.Post | rows.DirectPost, rows.Reply]
"""Place in the file, the post that starts the thread, and the message: the post itself, or a reply."""


class Lines:
    """The file; `index` records when each post was written, and where its line starts."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._posts = Scratch()

    def __len__(self) -> int:
        return self._posts.marks

    def small(self, tell: Tell) -> Iterator[tuple[str, str, object]]:
        """Yield (where, type, contents) of each line except posts, which are indexed."""
        size = self._path.stat().st_size
        with self._path.open("rb") as file:
            number, offset = 0, 0
            while line := file.readline(LONGEST):
                number += 1
                where = f"Line {number} of {self._path.name}"
                kind, content = _parsed(line, where)
                if kind in ("post", "direct_post"):
                    post = _post(kind, content, where)
                    self._posts.mark(post.create_at, offset, _NO_REPLY)
                    for at, reply in enumerate(post.replies or ()):
                        self._posts.mark(max(reply.create_at, post.create_at), offset, at)
                yield where, kind, content
                offset += len(line)
                if number % 1000 == 0:
                    tell(offset, size)

    def posts(self) -> Iterator[PostLine]:
        """Yield all posts and replies in order of time."""
        with self._path.open("rb") as file:
            for _, offset, reply in self._posts.by_time():
                file.seek(offset)
                where = f"The line at byte {offset} of {self._path.name}"
                kind, content = _parsed(file.readline(LONGEST), where)
                post = _post(kind, content, where)
                yield where, post, post if reply == _NO_REPLY else (post.replies or [])[reply]


def _parsed(line: bytes, where: str) -> tuple[str, object]:
    """Return (type, contents); a line is an object with its type, and its contents under that name."""
    try:
        whole = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise StartError(f"{where} is not JSON, or longer than can be read.") from error
    kind = whole.get("type") if isinstance(whole, dict) else None
    if not isinstance(kind, str):
        raise StartError(f"{where} has no type.")
    return kind, whole.get(kind)


def _post(kind: str, content: object, where: str) -> rows.Post | rows.DirectPost:
    if kind == "post":
        return checked(rows.Post, content, where)
    return checked(rows.DirectPost, content, where)
