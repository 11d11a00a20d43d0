"""Who gets in by which answer, and which session is ended for what it uses."""

import asyncio
import io
import os
import socket
from pathlib import Path

import pytest

from tui.ssh.events import Log
from tui.ssh.limits import Limits
from tui.ssh.parent import Running
from tui.ssh.service import Service, Visit

SITE = "https://chat.example.com"


def _service(folder: Path, *, takes_new: bool = True) -> Service:
    return Service(
        site=SITE, state=folder, command="ssh x", limits=Limits(), log=Log(None, io.StringIO()),
        takes_new=takes_new,
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


class _Busy(Running):
    """Uses a core and more."""

    seconds = 0.0

    def cpu_seconds(self) -> float:
        return self.seconds


async def test_a_session_that_turns_in_circles_is_found(tmp_path: Path) -> None:
    """After a minute with more than nine tenths of a core; a short burst is no matter."""
    service = _service(tmp_path)
    running = _Busy(os.getpid(), asyncio.get_running_loop().create_future())
    assert Running(os.getpid(), running.ended).cpu_seconds() >= 0
    with socket.socket() as link:
        visit = Visit(
            peer="-", key="", let_in="", person=None, folder=tmp_path, running=running, link=link,
            offered={}, end=lambda _: None, heard=0.0, began=0.0,
        )  # fmt: skip
        found = []
        for now, used in ((100, 30), (130, 60), (160, 40), (220, 50), (280, 108)):
            running.seconds = used
            found.append(service._turns_in_circles(visit, now))
    assert found == [False, False, False, False, True]
    service.keys.close()
