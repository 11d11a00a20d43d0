"""Commands that no page's test types: what they need is not on every machine, or another test types them."""

from typing import Final

_INSTALLS = "installs from a package index: tests/faults/test_install.py installs from the source"
_OPENS = "opens the client: tests/real_terminal.py starts it so for every test at a terminal"
_SSH = "needs ssh: tests/e2e/test_ssh.py types it, with a real client of SSH"

ELSEWHERE: Final = {
    "pipx install .": _INSTALLS,
    "pipx install '.[images]'": _INSTALLS,
    "pipx install '.[mcp]'": _INSTALLS,
    "uv tool install .": _INSTALLS,
    "pip install 'chinwag[images]'": _INSTALLS,
    "pip install 'chinwag[ssh]'": _INSTALLS,
    "podman build --format docker --file packaging/Containerfile --tag chinwag .": "needs podman and"
    " packages of Debian: tests/shape/test_packaging.py reads the file",
    "systemctl kill --signal=HUP chinwag": "needs systemd: tests/api/cli/test_tls.py sends the signal",
    "manage.py import SUBDOMAIN team": "needs a full server: tests/unit/server_lite/export knows the layout",
    "python -m venv peer": "makes an environment for another program, in four seconds",
    "git tag --sign vX.Y.Z": "changes the project: for maintainers",
    "python docs/api_coverage.py": "changes the project: tests/shape/test_map.py compares what it writes",
    '.venv/bin/pytest -m "not soak" PATH': "runs tests, as now",
    "chinwag-server serve --check": "a part of the command that the page about hosting has",
    "mail [ADDRESS]": "the page about integrations has it, with the server that it needs",
    "chinwag --narrow 'channel:design topic:colors'": _OPENS,
    "chinwag --zuliprc FILE": _OPENS,
    "chinwag --zuliprc FILE --narrow 'channel:design topic:colors'": _OPENS,
    "chinwag mcp [--allow-send]": "speaks a protocol on its pipes: tests/e2e/test_mcp.py",
    "ssh-keygen -t ed25519": "a key of the reader's: tests/ssh_service.py makes some",
    "ssh -p 2222 chat.example.com": _SSH,
    "ssh -p 2222 chat.example.com link": _SSH,
    "ssh -p 2222 chat.example.com keys": _SSH,
    "ssh -p 2222 chat.example.com send '#design > colors' < text": _SSH,
    "ssh -p 2222 chat.example.com tail -f": _SSH,
    "ssh -p 2222 chat.example.com search sender:ann kettle": _SSH,
    "ssh -p 2222 chat.example.com upload plan.pdf < plan.pdf": _SSH,
    "ssh -p 2222 chat.example.com get 2/ab/plan.pdf > plan.pdf": _SSH,
    "chinwag serve-ssh --site https://chat.example.com --host 0.0.0.0 --port 2222"
    " --state /var/lib/chinwag-ssh": _SSH,
    "chinwag-server serve --db team.db --ssh 2222": _SSH,
}
"""Commands of the pages, and why they are not typed here."""
NOT_EVERYWHERE: Final = ("jq", "zsh")
"""Programs of pages whose commands are typed where they are installed."""
