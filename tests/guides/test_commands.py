"""All commands of the documents are typed as they are written, page by page, and do what the pages say."""

from collections.abc import Callable, Mapping
from typing import Final

import pytest

from tests.guides import client_pages, server_pages
from tests.guides.elsewhere import ELSEWHERE, NOT_EVERYWHERE
from tests.guides.pages import PAGES, commands, unmarked_blocks, usages
from tests.guides.shell import Machine, Step

WITH_COMMANDS: Final = [page for page in PAGES if set(commands(page)) - set(ELSEWHERE)]
STEPS: Final[Mapping[str, Mapping[str, Step]]] = {
    "README.md": server_pages.README,
    "docs/guide/bots.md": client_pages.BOTS,
    "docs/guide/first-steps.md": client_pages.FIRST_STEPS,
    "docs/guide/hosting.md": server_pages.HOSTING,
    "docs/guide/install.md": client_pages.INSTALL,
    "docs/guide/integrations.md": client_pages.EMAIL,
    "docs/guide/moving.md": server_pages.MOVING,
    "docs/guide/organization.md": client_pages.ORGANIZATION,
    "docs/guide/scripting.md": client_pages.SCRIPTING,
    "docs/guide/ssh.md": server_pages.SSH,
}
"""What each command of a page needs, and does; others must succeed."""
PREPARE: Final[Mapping[str, Callable[[Machine], None]]] = {
    "docs/guide/bots.md": client_pages.prepare_ann,
    "docs/guide/client.md": client_pages.prepare_client,
    "docs/guide/first-steps.md": client_pages.prepare_ann,
    "docs/guide/hosting.md": server_pages.prepare_hosting,
    "docs/guide/install.md": client_pages.prepare_ann,
    "docs/guide/integrations.md": client_pages.prepare_ann,
    "docs/guide/organization.md": client_pages.prepare_ann,
    "docs/guide/scripting.md": client_pages.prepare_scripting,
}
"""What is there before the first command of a page."""


@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_every_command_of_a_page_works(machine: Machine, page: str) -> None:
    """Who types the page from top to bottom gets no error, and what it promises."""
    if prepare := PREPARE.get(page):
        prepare(machine)
    machine.follow(page, STEPS.get(page, {}))


def test_nothing_is_left_out_without_need() -> None:
    """What is not typed is on a page, and no table speaks of a page without commands."""
    written = {command for page in PAGES for command in commands(page)}
    assert set(ELSEWHERE) - written == set()
    assert [each for each in NOT_EVERYWHERE if not any(each in line for line in written)] == []
    assert (set(STEPS) | set(PREPARE)) - set(WITH_COMMANDS) == set()


@pytest.mark.parametrize("page", PAGES)
def test_a_block_says_whether_it_is_typed(page: str) -> None:
    """A block without a language would be left out unseen: `sh` for commands, or another."""
    assert unmarked_blocks(page) == []


def test_a_usage_is_typed_with_each_of_its_options() -> None:
    """As readers understand the brackets."""
    assert usages("a [-n N] B [C=D …]") == ["a B", "a -n N B", "a B C=D"]
