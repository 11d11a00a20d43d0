"""The one-time pad: what goes to the browser, and what is made of what comes back. No sockets."""

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.api.base_url import parse_base_url
from tui.commands.single_sign_on import OneTimePad
from tui.errors import ConfigError

BASE = parse_base_url("chat.example.com", allow_http=False)
PAD = OneTimePad(bytes(range(32)))
KEY = "abcdefghijklmnopqrstuvwxyz012345"
KEYS = st.text(alphabet=st.sampled_from("abcXYZ019"), min_size=32, max_size=32)


def answer(pad: OneTimePad, key: str = KEY, scheme: str = "zulip", **parameters: str) -> str:
    """What a full server sends the browser on to."""
    combined = bytes(a ^ b for a, b in zip(pad.secret, key.encode(), strict=False)).hex()
    said = {
        "realm": "https://chat.example.com",
        "email": "iris@example.com",
        "otp_encrypted_api_key": combined,
        **parameters,
    }
    return f"{scheme}://login?{urlencode(said)}"


@given(KEYS, st.binary(min_size=32, max_size=32))
def test_whoever_has_the_pad_has_the_key(key: str, secret: bytes) -> None:
    """What the server combined is taken apart again, whatever key and pad are."""
    pad = OneTimePad(secret)
    credentials = pad.read(answer(pad, key), BASE, None)
    assert (credentials.api_key, credentials.email) == (key, "iris@example.com")


@given(KEYS)
def test_without_the_pad_the_address_is_worth_nothing(key: str) -> None:
    """Somebody who reads over my shoulder, or an address of an older attempt, signs nobody in."""
    with pytest.raises(ConfigError, match="an earlier attempt"):
        OneTimePad.new().read(answer(PAD, key), BASE, None)


@pytest.mark.parametrize(
    ("login_url", "opened"),
    [
        ("/accounts/login/social/github", "https://chat.example.com/accounts/login/social/github?"),
        (
            "/accounts/login/social/saml?idp=x",
            "https://chat.example.com/accounts/login/social/saml?idp=x&",
        ),
        ("https://sso.example.org/go#top", "https://sso.example.org/go?"),
    ],
)
def test_the_pad_goes_along_to_the_page(login_url: str, opened: str) -> None:
    """The page is the server's own unless it says otherwise; what it wants besides stays."""
    address = PAD.address(BASE, login_url)
    assert address.startswith(opened)
    assert parse_qs(urlsplit(address).query)["mobile_flow_otp"] == [bytes(range(32)).hex()]


@pytest.mark.parametrize("login_url", ["javascript:alert(1)", "file:///etc/passwd", "mailto:a@x"])
def test_a_server_has_only_web_pages_opened(login_url: str) -> None:
    """A hostile server cannot have anything else started on this machine."""
    with pytest.raises(ConfigError, match="not a web address"):
        PAD.address(BASE, login_url)


def test_line_breaks_of_a_terminal_do_no_harm() -> None:
    """An address that was copied from several lines of a terminal is one all the same."""
    whole = answer(PAD)
    assert PAD.read(f" {whole[:40]}\n  {whole[40:]}\n", BASE, None).api_key == KEY


def test_other_programs_schemes_and_the_servers_own_name_are_understood() -> None:
    """A server may call itself otherwise than I do, and its program as it likes."""
    pasted = answer(PAD, scheme="chinwag", realm="https://chat.internal")
    assert PAD.read(pasted, BASE, "https://chat.internal").api_key == KEY


@pytest.mark.parametrize(
    ("pasted", "sentence"),
    [
        ("", "Paste the address"),
        ("hello", "not the final address"),
        ("https://chat.example.com/accounts/login", "not the final address"),
        ("http://[", "not the final address"),
        (PAD.address(BASE, "/sso"), "the address to open"),
        (answer(PAD).replace("zulip", "https"), "not the final address"),
        (answer(PAD, realm="https://evil.example"), "is for evil.example"),
        (answer(PAD, realm=""), "for no server"),
        (answer(PAD)[:-20], "cut off"),
        (answer(PAD, otp_encrypted_api_key="zz" * 32), "cut off"),
        (answer(PAD, email=" "), "no email address"),
    ],
)
def test_a_wrong_paste_says_what_is_wrong(pasted: str, sentence: str) -> None:
    """Whatever lands in the field, one sentence says what belongs there."""
    with pytest.raises(ConfigError, match=sentence):
        PAD.read(pasted, BASE, None)


def test_nothing_secret_is_shown_where_it_is_printed() -> None:
    """Neither the pad nor the key gets into a traceback."""
    shown = f"{PAD!r} {PAD.read(answer(PAD), BASE, None)!r}"
    assert KEY not in shown
    assert PAD.secret.hex() not in shown
    assert repr(PAD.secret) not in shown
