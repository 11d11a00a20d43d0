"""Signatures: what a service signed is taken, what anyone else made is refused."""

import hashlib
import hmac
from typing import Final

import pytest

from server_lite.errors import ApiError
from server_lite.integrations.table import INTEGRATIONS

SECRET: Final = "pass wörd"
BODY: Final = b'{"a": "\xc3\xa4"}'
NOW: Final = 1_767_322_800.0
OTHER: Final = "0" * 64


def _hmac(signed: bytes) -> str:
    return hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()


HEADERS: Final = {
    "github": ("x-hub-signature-256", f"sha256={_hmac(BODY)}"),
    "gitlab": ("x-gitlab-token", SECRET.encode().decode("latin-1")),
    "gitea": ("x-gitea-signature", _hmac(BODY)),
    "sentry": ("sentry-hook-signature", _hmac(BODY)),
    "circleci": ("circleci-signature", f"v2=abc,v1={_hmac(BODY)}"),
    "pagerduty": ("x-pagerduty-signature", f"v1={OTHER},v1={_hmac(BODY)}"),
    "stripe": (
        "stripe-signature",
        f"t={NOW:.0f},v1={OTHER},v1={_hmac(b'1767322800.' + BODY)},v0=x",
    ),
    "grafana": ("x-grafana-alerting-signature", _hmac(BODY)),
    "json": ("x-hub-signature-256", f"sha256={_hmac(BODY)}"),
}
"""How each signs, after its documents."""


def check(
    name: str, header: str, *, body: bytes = BODY, secret: str = SECRET, time: str = ""
) -> None:
    """Verify a request with this signature; `time` is of Grafana's."""
    verify = INTEGRATIONS[name].verify
    assert verify is not None
    verify(secret, {HEADERS[name][0]: header, "x-grafana-alerting-timestamp": time}, body, NOW)


def test_each_service_that_signs_is_here() -> None:
    """None is forgotten below."""
    assert HEADERS.keys() == {each.name for each in INTEGRATIONS.values() if each.verify}


@pytest.mark.parametrize("name", HEADERS)
def test_only_what_was_signed_is_taken(name: str) -> None:
    """Another secret, another body or no signature is refused with a sentence."""
    header = HEADERS[name][1]
    check(name, header)
    refused = "signature is not valid"
    with pytest.raises(ApiError, match=refused):
        check(name, header, secret="another")
    with pytest.raises(ApiError, match=refused):
        check(name, header.replace("v1=", "v2=") if "v1=" in header else f"{header}0")
    with pytest.raises(ApiError, match="is missing"):
        check(name, "")
    if name != "gitlab":  # which sends the secret itself
        with pytest.raises(ApiError, match=refused):
            check(name, header, body=b"{}")


@pytest.mark.parametrize(
    "time", [f"{NOW - 301:.0f}", f"{NOW + 301:.0f}", "9" * 99, "2026-01-02", "-1"]
)
def test_what_was_signed_long_ago_is_refused(time: str) -> None:
    """Who kept a request of Stripe or of Grafana cannot send it again tomorrow."""
    if time.isdecimal():
        with pytest.raises(ApiError, match="too old"):
            check("stripe", f"t={time},v1={_hmac(time.encode() + b'.' + BODY)}")
    signature = _hmac(time.encode() + b":" + BODY)
    with pytest.raises(ApiError, match="too old"):
        check("grafana", signature, time=time)


@pytest.mark.parametrize("header", ["t=,v1=x", "t=²,v1=x", "v1=x", "t=1,t=2,v1=x", "t=1", "=,=,"])
def test_a_signature_of_odd_form_is_refused(header: str) -> None:
    """Not a number, twice, or nothing at all: it is refused, not an error of the server."""
    with pytest.raises(ApiError, match="not valid"):
        check("stripe", header)
