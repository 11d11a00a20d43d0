"""The page at the server's own address, for people who open it in a browser. No API here."""

import html

from server_lite.api.request import Request, Send
from server_lite.context import Context
from server_lite.store import realm
from server_lite.store.connection import Db
from server_lite.web.layout import page, show
from server_lite.web.ways_in import ways_in


async def serve_front_page(context: Context, request: Request, send: Send) -> None:
    """Serve GET /: the organization's name, and how to join or sign in."""

    def read(db: Db) -> tuple[str, str]:
        return realm.setting(db, "name"), realm.setting(db, "description")

    name, description = context.read(read)
    about = f"<p>{html.escape(description)}</p>" if description else ""
    body = _body(ways_in(context.settings, request.info().base_url))
    await show(request, send, 200, page(name, about + body))


def _body(ways: str) -> str:
    return f"""<p>This is a Chinwag server: topic-threaded team chat in a terminal.</p>
<h2>Join</h2>
<p>Open the invitation link that you were sent, in this browser or with
<code>chinwag join LINK</code>. If you have none, ask a member for one.</p>
{ways}
<h2>Bots and scripts</h2>
<p>Programs can do everything that people can: see <a href="/api/">the API</a>.</p>"""
