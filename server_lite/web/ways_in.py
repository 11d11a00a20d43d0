"""Instructions for joining, for web pages: over SSH, by a command, by invitation. Reads one public file."""

import html
import shlex
from urllib.parse import urlsplit

from server_lite.config import Settings
from server_lite.http.allowed_hosts import is_loopback
from server_lite.maintenance import ssh_host_key


def ways_in(settings: Settings, base_url: str, invitation: str = "") -> str:
    """Return the commands to run, as HTML. `base_url` is how the browser reached this server."""
    address = urlsplit(base_url)
    host = address.hostname or ""
    plain = " --http" if address.scheme == "http" and not is_loopback(host) else ""
    parts = []
    if settings.ssh_port is not None:
        port = "" if settings.ssh_port == 22 else f"-p {settings.ssh_port} "
        paste = " Paste the address of this page where it asks for an invitation link." * bool(
            invitation
        )
        key = ssh_host_key.fingerprint(settings.db)
        host_key_line = (
            f"<p>The host key is <code>{html.escape(key)}</code> (ED25519).</p>" if key else ""
        )
        parts.append(
            f"<h2>With nothing installed</h2><p>Over SSH, in any terminal.{paste}</p>"
            f"{_command(f'ssh {port}{host}')}{host_key_line}"
        )
    install = _command(settings.install_command) if settings.install_command else ""
    if invitation:
        run = f"chinwag join {shlex.quote(invitation)}{plain}"
        parts.append(f"<h2>With Chinwag installed</h2>{install}{_command(run)}")
    else:
        run = f"chinwag login {base_url}{plain}"
        intro = "<p>Install Chinwag, then run:</p>"
        parts.append(f"<h2>Sign in</h2>{intro}{install}{_command(run)}")
    return "".join(parts)


def _command(text: str) -> str:
    return f"<pre><code>{html.escape(text)}</code></pre>"
