"""Who gets in by which answer."""

import io
from pathlib import Path

import pytest

from tui.errors import ConfigError
from tui.ssh.events import Log
from tui.ssh.limits import Limits
from tui.ssh.service import Service

SITE = "https://chat.example.com"


def _service(folder: Path, *, takes_new: bool = True, disk: int = Limits().disk) -> Service:
    return Service(
        site=SITE, state=folder, command="ssh x", limits=Limits(disk=disk),
        log=Log(None, io.StringIO()), takes_new=takes_new,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("https://chat.example.com/join/abc123", f"{SITE}/join/abc123"),
        ("http://127.0.0.1:9991/join/abc_-1\n", f"{SITE}/join/abc_-1"),
        ("https://chat.example.com/join/../api", ""),
        ("https://evil.example/?x=/join/abc", ""),
        ("join/abc", ""),
        ("", ""),
    ],
)
async def test_an_invitation_leads_to_the_one_server(tmp_path: Path, text: str, link: str) -> None:
    """Whatever host stands in it: no other server is ever asked."""
    service = _service(tmp_path)
    assert service.invitation(text) == link
    service.keys.close()


async def test_without_new_keys_only_tokens_are_answers(tmp_path: Path) -> None:
    """Neither Enter nor an invitation lets anyone in there."""
    service = _service(tmp_path, takes_new=False)
    ann = service.keys.person("ann@example.com")
    token = service.keys.new_token(ann)
    assert service.person_of_answer("") == (False, None)
    assert service.person_of_answer(f"{SITE}/join/abc") == (False, None)
    assert service.person_of_answer(token) == (True, ann)
    service.keys.close()


async def test_a_folder_that_is_full_loses_what_can_be_fetched_again(tmp_path: Path) -> None:
    """And nothing else: where drafts and accounts are too much, a sentence says so."""
    service = _service(tmp_path, disk=100_000)
    ann = service.keys.person("ann@example.com")
    home = tmp_path / "people" / ann.id
    for name, size in (("cache", 300_000), ("state", 50_000)):
        (home / name).mkdir(parents=True)
        (home / name / "file").write_bytes(b"x" * size)
    service._require_room(home, "192.0.2.1")
    assert not (home / "cache").exists()
    (home / "state" / "more").write_bytes(b"x" * 60_000)
    with pytest.raises(ConfigError, match="folder on this host is full"):
        service._require_room(home, "192.0.2.1")
    assert (home / "state" / "file").stat().st_size == 50_000
    service.keys.close()
