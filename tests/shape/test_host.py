"""Where the client may leave its own folders: in `tui.host`, which asks whose machine it is, and nowhere else."""

import ast

import pytest

from tests.shape.sources import called, calls, modules

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


@pytest.mark.parametrize("name", NAMES)
def test_only_the_host_reaches_the_machine(name: str) -> None:
    """A new place would work for a visitor over SSH, with the rights of all visitors."""
    paths = {path for path, tree in modules("tui") if any(called(c) == name for c in calls(tree))}
    assert paths <= NAMES[name]


@pytest.mark.parametrize("name", IMPORTS)
def test_only_the_host_imports_what_reaches_the_machine(name: str) -> None:
    """The same of modules."""
    paths = set()
    for path, tree in modules("tui"):
        for node in ast.walk(tree):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if any(each.partition(".")[0] == name for each in names):
                paths.add(path)
    assert paths <= IMPORTS[name]
