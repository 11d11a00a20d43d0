"""Browsers as weapons: pages of other sites, names and numbers that are not ours. Over real sockets."""

from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from server_lite.errors import Misdirected
from server_lite.http.allowed_hosts import Hosts
from server_lite.store.users import Role
from server_lite.workers.webhook_client import CallFailed, call, is_public
from tests.live import Live, live


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Live]:
    async with live(tmp_path) as running:
        yield running


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
    ids=str,
)
async def test_a_page_of_another_site_changes_nothing(
    server: Live, headers: dict[str, str]
) -> None:
    """What it makes a browser send is refused before anybody's password is looked at."""
    ann = await server.person("Ann")
    fields = {"username": "ann@example.com", "password": "guess guess"}
    for client in (server.client(), ann.http):  # a made-up key does not open the way to passwords
        refused = await client.post("fetch_api_key", data=fields, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (403, "FOREIGN_SITE")
    unsigned = await server.client().post("register", headers=headers)
    assert unsigned.json()["code"] == "FOREIGN_SITE"
    form = await server.client().post(f"{server.url}/join/x", data=fields, headers=headers)
    assert form.json()["code"] == "FOREIGN_SITE"
    sent = {"Sec-Fetch-Mode": "navigate", **headers}  # a form, with what the browser keeps
    own = await ann.http.post("users/me/status", data={"status_text": "x"}, headers=sent)
    assert own.status_code == 403
    assert "status_text" not in (await ann.get(f"users/{ann.id}/status"))["status"]


async def test_a_page_of_another_site_may_use_a_key_it_has(server: Live) -> None:
    """A browser asks first, and is told; then a script with its own key does what the owner may."""
    ann = await server.person("Ann")
    origin = {"Origin": "https://bots.example"}
    asks = {
        **origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type",
        "Access-Control-Request-Private-Network": "true",
    }
    told = await server.client().options("users/me/status", headers=asks)
    assert (told.status_code, told.content) == (204, b"")
    assert told.headers["access-control-allow-origin"] == "*"
    assert "POST" in told.headers["access-control-allow-methods"]
    assert "authorization" in told.headers["access-control-allow-headers"].lower()
    assert "access-control-allow-credentials" not in told.headers
    assert "access-control-allow-private-network" not in told.headers
    sent = {**origin, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}
    done = await ann.http.post("users/me/status", data={"status_text": "x"}, headers=sent)
    assert done.status_code == 200
    assert done.headers["access-control-allow-origin"] == "*"
    wrong = server.client(auth=(ann.email, "0" * 32))
    refused = await wrong.post("users/me/status", data={"status_text": "y"}, headers=sent)
    assert refused.status_code == 401
    assert refused.headers["access-control-allow-origin"] == "*"  # so that it can be read
    assert "www-authenticate" not in refused.headers


async def test_our_own_pages_may_send_forms(server: Live) -> None:
    """The page of an invitation is served from here, and so is what it sends."""
    ann = await server.person("Ann")
    headers = {"Origin": server.url, "Sec-Fetch-Site": "same-origin", "Host": server.url[7:]}
    answer = await ann.http.post("users/me/status", data={"status_text": "x"}, headers=headers)
    assert answer.status_code == 200


async def test_a_page_makes_no_browser_ask_for_a_password(server: Live) -> None:
    """Else the browser would keep what was typed, and send it along for whoever asks."""
    for headers in ({"Sec-Fetch-Mode": "navigate"}, {"Sec-Fetch-Dest": "image"}, {"Origin": "x"}):
        asked = await server.client().get("users/me", headers=headers)
        assert asked.status_code == 401
        assert "www-authenticate" not in asked.headers
    assert "www-authenticate" in (await server.client().get("users/me")).headers


@pytest.mark.parametrize(
    ("host", "is_ours"),
    [
        ("192.0.2.7:9991", True),
        ("127.0.0.1", True),
        ("[::1]:9991", True),
        ("chat.example.com", True),
        ("192.0.2.8", False),
        ("[2001:db8::1]", False),
        ("[::1%25lo]:9991", True),
        ("[fe80::1%eth0]", False),
        ("[::1%25<b>]", False),
        ("192.0.2.7%eth0", False),
        ("evil.example", False),
    ],
)
def test_a_number_is_ours_where_we_were_reached(host: str, is_ours: bool) -> None:
    """A server on all addresses answers to the one at which a request arrived, and to its names."""
    hosts = Hosts("0.0.0.0", ["chat.example.com"])
    if is_ours:
        hosts.check(host, "192.0.2.7")
    else:
        with pytest.raises(Misdirected):
            hosts.check(host, "192.0.2.7")


@given(
    st.lists(
        st.sampled_from(
            ["localhost", "127.0.0.1", "::1", "[", "]", ":", "80", "/", "@", "#", "&", "é", " "]
        ),
        max_size=5,
    ).map("".join)
)
@example("127.0.0.1:[")
@example("[localhost]")
def test_what_is_no_host_is_not_ours(host: str) -> None:
    """A header that passes becomes part of pages and links: it is a host and a port, and nothing more."""
    hosts = Hosts("127.0.0.1", [])
    try:
        hosts.check(host, "127.0.0.1")
    except Misdirected:
        return
    parts = urlsplit(f"http://{host}/x")
    name = parts.hostname or "localhost"
    assert name in ("localhost", "::1") or name.startswith("127.")
    assert (parts.username, parts.path, parts.fragment) == (None, "/x", "")
    assert parts.port is None or parts.port < 2**16


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("10.0.0.1", False),
        ("224.0.0.1", False),
        ("::ffff:127.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::a00:1", False),
        ("64:ff9b::5db8:d822", True),
        ("64:ff9b:1::5db8:d822", False),
        ("2002:7f00:1::1", False),
        ("2002:a9fe:a9fe::", False),
        ("2001:0:7f00:1::", False),
        ("::7f00:1", False),
        ("2606:2800:220:1:0:5efe:c0a8:1", False),
    ],
)
def test_an_address_is_judged_by_what_it_carries(address: str, public: bool) -> None:
    """A gateway would make of some IPv6 addresses the very IPv4 addresses that are forbidden."""
    assert is_public(address) == public


@pytest.mark.parametrize(
    ("url", "hosts", "may"),
    [
        ("http://127.0.0.1:6379/", ("127.0.0.1",), False),
        ("http://127.0.0.1:1/", ("127.0.0.1:2",), False),
        ("ftp://127.0.0.1/", ("127.0.0.1",), False),
        ("http://127.0.0.1:1/", ("127.0.0.1:1",), True),
        ("http://127.0.0.1:1/", ("127.0.0.1:*",), True),
    ],
)
async def test_a_named_host_is_called_at_its_ports(
    url: str, hosts: tuple[str, ...], may: bool
) -> None:
    """Whoever may make a bot reaches no other service of the host: one where nobody listens fails later."""
    with pytest.raises(CallFailed) as failed:
        await call(url, hosts, json={})
    assert failed.value.is_final != may


async def test_a_refusal_spells_a_name_as_it_was_written(server: Live) -> None:
    """How a private channel is spelt stays unknown to whoever guesses."""
    ann, ben = await server.person("Ann"), await server.person("Ben")
    await ann.post("channels/create", name="SecretDen", subscribers=[ann.id], invite_only=True)
    asked = {"subscriptions": [{"name": "secretden"}]}
    refused = await ben.post("users/me/subscriptions", **asked)
    assert refused["msg"] == "Unable to access channel (secretden)."
    listed = await ben.post("users/me/subscriptions", **asked, authorization_errors_fatal=False)
    assert listed["unauthorized"] == ["secretden"]


async def test_without_channels_for_the_web_there_are_no_names(server: Live) -> None:
    """An organization that is open, and shows nothing, does not show who is in it."""
    ann = await server.person("Ann", role=Role.OWNER)
    await ann.patch("realm", enable_spectator_access=True)
    stranger = server.client()

    async def seen() -> str:
        snapshot = await stranger.post("register", data={"client_gravatar": "false"})
        return (await stranger.get("users")).text + snapshot.text

    assert "Ann" not in await seen()
    made = await ann.post(
        "channels/create", name="window", subscribers=[ann.id], is_web_public=True
    )
    assert made["result"] == "success"
    assert "Ann" in await seen()
