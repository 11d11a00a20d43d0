"""Keys and tokens: digests only, private, each of one person."""

from pathlib import Path

import pytest

from tui.errors import ConfigError
from tui.ssh.keys import TOKEN_SECONDS, Keys


class Clock:
    now = 1_750_000_000.0

    def __call__(self) -> float:
        return self.now


def test_a_key_is_noted_bound_used_and_revoked(tmp_path: Path) -> None:
    """And is somebody's only once."""
    keys = Keys(tmp_path / "state", Clock())
    ann, ben = keys.person("Ann@example.com"), keys.person("ben@example.com")
    assert keys.person("ann@example.com") == ann
    keys.note(ann, "SHA256:one", "laptop", "192.0.2.7")
    keys.note(ann, "SHA256:one", "laptop", "192.0.2.7")
    (key,) = keys.of(ann)
    assert (key.is_bound, key.used, key.noted_from) == (False, None, "192.0.2.7")
    keys.note(ben, "SHA256:one", "not his", "192.0.2.8")  # a public key, which anyone has
    keys.note(ann, "SHA256:one", "laptop", "192.0.2.7")
    assert keys.of(ben) == []
    assert not keys.bind("SHA256:one", ben)
    assert keys.bind("SHA256:one", ann)
    with pytest.raises(ConfigError, match="another account"):
        keys.note(ben, "SHA256:one", "stolen", "192.0.2.8")
    keys.use("SHA256:one")
    (key,) = keys.of(ann)
    assert (key.is_bound, key.used) == (True, Clock.now)
    assert keys.revoke("SHA256:one")
    assert not keys.revoke("SHA256:one")
    assert keys.get("SHA256:one") is None
    keys.close()


def test_an_address_that_was_given_up_opens_nothing_of_who_had_it(tmp_path: Path) -> None:
    """Accounts change addresses: the folder and the keys stay with the account."""
    keys = Keys(tmp_path / "state", Clock())
    ann = keys.signed_in("https://chat.example.com 1", "ann@example.com")
    keys.note(ann, "SHA256:one", "laptop", "192.0.2.7")
    mallory = keys.signed_in("https://chat.example.com 2", "ann@example.com")
    assert mallory.id != ann.id
    assert keys.of(mallory) == []
    moved = keys.signed_in("https://chat.example.com 1", "Ann@new.example.com")
    assert (moved.id, moved.email) == (ann.id, "ann@new.example.com")
    imported = keys.person("ben@example.com")
    assert keys.signed_in("https://chat.example.com 3", "ben@example.com") == imported
    assert keys.signed_in("https://chat.example.com 4", "ben@example.com") != imported
    keys.close()


def test_a_token_lets_in_once_and_for_a_while(tmp_path: Path) -> None:
    """It is not in the file; nobody else may read that."""
    clock = Clock()
    keys = Keys(tmp_path / "state", clock)
    ann = keys.person("ann@example.com")
    token, late = keys.new_token(ann), keys.new_token(ann)
    file = tmp_path / "state" / "keys.sqlite"
    assert token.encode() not in file.read_bytes()
    assert oct(file.stat().st_mode & 0o777) == "0o600"
    assert keys.take_token(f" {token}\n") == ann
    assert keys.take_token(token) is None
    clock.now += TOKEN_SECONDS
    assert keys.take_token(late) is None
    keys.new_token(ann)
    keys.revoke_all(ann)
    keys.close()
    file.chmod(0o640)
    with pytest.raises(ConfigError, match="could be read by others"):
        Keys(tmp_path / "state", clock)
