"""httpx comes without cookies and Python's own client; what asks for them nevertheless gets the real ones."""

import subprocess
import sys

_SCRIPT = """
import sys
from tui.api.httpx_import import NoCookies, without_extras
with without_extras():
    import httpx
with_cookies = {"Set-Cookie": "crumb=1", "Location": "/there"}
answer = lambda request: httpx.Response(302 if request.url.path == "/" else 200, headers=with_cookies, text="é")
with httpx.Client(cookies=NoCookies(), transport=httpx.MockTransport(answer)) as client:
    found = client.get("http://chat.example/there")
    print(sorted({"http.client", "http.cookiejar", "urllib.request", "ssl"} & set(sys.modules)))
    print(found.text, "Cookie" in client.build_request("GET", "http://chat.example/").headers)
    print(client.get("http://chat.example/", follow_redirects=True).url.path, len(client.cookies))
with httpx.Client(transport=httpx.MockTransport(answer)) as other:
    other.get("http://chat.example/there")
    print(dict(other.cookies), other.build_request("GET", "http://chat.example/").headers["Cookie"])
import email.message, urllib.request
print(email.message.Message.__module__, urllib.request.Request.__module__)
"""


def test_cookies_are_neither_kept_nor_imported_and_other_clients_have_them() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", _SCRIPT], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "[]",
        "é False",
        "/there 0",
        "{'crumb': '1'} crumb=1",
        "email.message urllib.request",
    ]
