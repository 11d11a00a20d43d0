"""Signing in: which address is asked. No network."""

import pytest

from tui.api.base_url import BaseUrl
from tui.commands import sign_in
from tui.errors import ConfigError


@pytest.mark.parametrize(
    ("typed", "allow_http", "asked"),
    [
        ("chat.lan", False, "https://chat.lan"),
        (" chat.lan ", True, "http://chat.lan"),
        ("chat.lan:9991", True, "http://chat.lan:9991"),
        ("https://chat.lan", True, "https://chat.lan"),
        ("http://chat.lan", True, "http://chat.lan"),
    ],
)
async def test_without_encryption_needs_no_scheme(
    typed: str, allow_http: bool, asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The box “Connect without encryption”, and --http, are enough."""

    def refuse(base_url: BaseUrl) -> None:
        raise ConfigError(base_url.text)

    monkeypatch.setattr(sign_in, "anonymous", refuse)
    with pytest.raises(ConfigError, match=f"^{asked}$"):
        await sign_in.ask(typed, allow_http=allow_http)


async def test_an_empty_address_is_named_with_and_without_encryption() -> None:
    for allow_http in (False, True):
        with pytest.raises(ConfigError, match="Enter a server address"):
            await sign_in.ask(" ", allow_http=allow_http)
