"""Layout of all pages for people: one look, light or dark, without scripts. Pure except for sending."""

import html
from typing import Final

from server_lite.api.request import Request
from server_lite.http.replies import Send, reply

POLICY: Final = (
    b"default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; form-action 'self';"
    b" base-uri 'none'; frame-ancestors 'none'"
)
_STYLE: Final = (
    ":root{color-scheme:light dark}"
    "body{font:17px/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto 3rem;padding:0 1.25rem;"
    "background:#fff;color:#1c1c1e}"
    "h1{font-size:1.7rem;line-height:1.2;margin:0 0 .5rem;overflow-wrap:anywhere}"
    "h2{font-size:1.1rem;margin:2rem 0 .25rem}p{margin:.25rem 0 1rem}"
    "code{font:.92em ui-monospace,monospace}"
    "pre{background:#f2f2f4;border-radius:.4rem;padding:.7rem .9rem;white-space:pre-wrap;"
    "overflow-wrap:anywhere}"
    "a{color:#0b57d0}label{display:block;margin:1rem 0}"
    "input{font:inherit;width:100%;box-sizing:border-box;padding:.5rem .6rem;margin-top:.25rem;"
    "border:1px solid #8a8a90;border-radius:.4rem;background:transparent;color:inherit}"
    "button{font:inherit;padding:.55rem 1.4rem;border:0;border-radius:.4rem;background:#0b57d0;"
    "color:#fff}[role=alert]{border-left:.25rem solid #c5221f;padding-left:.75rem}"
    "@media(prefers-color-scheme:dark){body{background:#161618;color:#e6e6ea}pre{background:#232327}"
    "a{color:#8ab4f8}button{background:#8ab4f8;color:#111}[role=alert]{border-color:#f28b82}}"
)


def page(title: str, body: str) -> str:
    """Return a whole page with a heading and `body`, which is HTML."""
    title = html.escape(title)
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<link rel="icon" href="/static/icon.png"><title>{title}</title>'
        f"<style>{_STYLE}</style><main><h1>{title}</h1>{body}</main></html>"
    )


async def show(request: Request, send: Send, status: int, text: str) -> None:
    """Send a page: it loads no foreign contents, and sends no referrer."""
    await reply(
        request.headers,
        send,
        status,
        "text/html; charset=utf-8",
        text.encode(),
        (b"content-security-policy", POLICY),
        (b"referrer-policy", b"no-referrer"),
    )
