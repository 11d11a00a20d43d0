"""Where the client may leave its own folders: in `tui.host`, which asks whose machine it is, and nowhere else."""

import ast
from collections import defaultdict
from collections.abc import Mapping
from functools import cache

import pytest

from tests.shape.sources import called, calls, modules, nodes

NAMES = {
    "create_subprocess_exec": {"tui/host.py"},
    "create_subprocess_shell": set(),
    "Popen": {"tui/ssh/parent.py"},
    "check_output": set(),
    "system": {"tui/crash_log.py"},  # the name of the platform
    "popen": set(),
    "startfile": set(),
    "fork": {"tui/ssh/warm.py"},
    "posix_spawn": set(),
    "which": {
        "tui/host.py",
        "tui/commands/clipboard.py",  # through the host
        "tui/hook_settings.py",  # only looks for it
    },
    "expanduser": {"tui/host.py", "tui/config.py", "tui/hook_settings.py"},
    "home": set(),
    "user_downloads_path": {"tui/host.py"},
    "PlatformDirs": {"tui/config.py"},
    "PathPrompt": {"tui/screens/dialogs/path.py"},
}
"""What reaches the machine, by the name that is called, and the modules that may."""
IMPORTS = {
    "subprocess": {"tui/host.py", "tui/ssh/parent.py"},
    "webbrowser": set(),
    "platformdirs": {"tui/host.py", "tui/config.py"},
    "pty": set(),
    "asyncssh": {
        "tui/ssh/channel.py",
        "tui/ssh/connection.py",
        "tui/ssh/front.py",
        "tui/ssh/owner.py",
    },
}


@cache
def _paths_by_call() -> Mapping[str, set[str]]:
    """The modules that call a function, by its last name."""
    paths = defaultdict(set)
    for path, tree in modules("tui"):
        for call in calls(tree):
            paths[called(call)].add(path)
    return paths


@cache
def _paths_by_import() -> Mapping[str, set[str]]:
    """The modules that import from a package."""
    paths = defaultdict(set)
    for path, tree in modules("tui"):
        for node in nodes(tree):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                paths[name.partition(".")[0]].add(path)
    return paths


@pytest.mark.parametrize("name", NAMES)
def test_only_the_host_reaches_the_machine(name: str) -> None:
    """A new place would work for a visitor over SSH, with the rights of all visitors."""
    assert _paths_by_call()[name] <= NAMES[name]


@pytest.mark.parametrize("name", IMPORTS)
def test_only_the_host_imports_what_reaches_the_machine(name: str) -> None:
    """The same of modules."""
    assert _paths_by_import()[name] <= IMPORTS[name]
