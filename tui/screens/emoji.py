"""The emoji to choose from: the server's whole list is fetched once, when it is first needed."""

from collections.abc import Callable

from tui.content import untrusted_json
from tui.errors import ApiError
from tui.screens.session import Session
from tui.view.emoji import NONE, Emoji, UnicodeEmoji, choice

MOST_BYTES = 4 * 1024 * 1024


class EmojiList:
    """The emoji that this server knows."""

    def __init__(self, session: Callable[[], "Session"]) -> None:
        self._session = session
        self._listed: UnicodeEmoji | None = None

    async def all(self) -> list[Emoji]:
        """Return all emoji, fetching them first; without the server's list the most usual ones."""
        await self.load()
        return self.having("")

    async def load(self) -> None:
        """Fetch the server's list if it is not loaded yet."""
        url = self._session().store.realm.emoji_data_url
        if self._listed is None and url:
            self._listed = await self._fetch(url)

    def having(self, letters: str) -> list[Emoji]:
        """Return the emoji that are loaded and have these letters in a row in their names."""
        return choice(self._session().store, self._listed or NONE, letters)

    async def _fetch(self, url: str) -> UnicodeEmoji | None:
        connection = self._session().sync.connection
        try:
            async with connection.download(url, max_bytes=MOST_BYTES) as download:
                body = b"".join([chunk async for chunk in download.chunks])
        except ApiError:
            return None  # the usual ones will do, and the next time may work
        data = untrusted_json.parsed(body)
        names = data.get("code_to_names", data) if isinstance(data, dict) else {}
        return UnicodeEmoji(names if isinstance(names, dict) else {})
