"""What others import and a start does not use comes when it is used."""

import subprocess
import sys
from pathlib import Path

from tests.shape.sources import ROOT

_PEM = Path(__file__).parents[2] / "e2e" / "self_signed.pem"


def _run(code: str, *words: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", code, *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return run.stdout.strip() or run.stderr[-2000:]


def test_asyncio_speaks_tls_when_it_is_asked() -> None:
    """A start imports asyncio without TLS; a server at https:// is reached, and an unknown one refused."""
    code = """
import sys
from tui.late_imports import import_asyncio
import_asyncio()
print(sorted({"asyncio", "asyncio.sslproto", "ssl"} & sys.modules.keys()))
import asyncio

async def main():
    async def answer(reader, writer):
        writer.write(await reader.readline())
        writer.close()

    import ssl
    own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    own.load_cert_chain(sys.argv[1])
    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=own)
    place = server.sockets[0].getsockname()
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    reader, writer = await asyncio.open_connection(*place, ssl=trusting)
    writer.write(b"tea\\n")
    print(await reader.read())
    writer.close()
    try:
        await asyncio.open_connection(*place, ssl=True)
    except ssl.SSLCertVerificationError:
        print("refused")

asyncio.run(main())
"""
    assert _run(code, str(_PEM)).splitlines() == ["['asyncio']", r"b'tea\n'", "refused"]


def test_nothing_is_of_a_class_that_was_not_imported() -> None:
    """Asking that imports nothing: asyncio asks it of its sockets."""
    code = (
        "import sys; from tui.late_imports import LateName\n"
        "late = LateName('decimal', 'Decimal'); print(isinstance(1, late), 'decimal' in sys.modules)\n"
        "import decimal; print(isinstance(decimal.Decimal(1), late), late('2.5') * 2)"
    )
    assert _run(code).splitlines() == ["False False", "True 5.0"]


def test_modules_that_are_used_seldom_are_there_when_they_are_used() -> None:
    """Sources, entities, addresses with colons and encodings of programs are read as ever."""
    code = (
        "import sys; from tui.late_imports import made_cheaply\n"
        "names = {'html.entities', 'ipaddress', 'locale', 'tokenize'}\n"
        "with made_cheaply():\n"
        "  import html, inspect, linecache, subprocess, urllib.parse\n"
        "print(names & set(sys.modules), html.unescape('&notit; &eacute;'))\n"
        "print(urllib.parse.urlsplit('http://[::1]:8/x').hostname, linecache.getline(html.__file__, 1)[:3])\n"
        "print(inspect.getsource(html.escape)[:11], inspect.tokenize.NEWLINE)\n"
        "print(subprocess.run([sys.executable, '-c', 'print(1)'], capture_output=True, text=True).stdout)"
    )
    assert _run(code).splitlines() == ["set() ¬it; é", '::1 """', "def escape( 4", "1"]


def test_usual_characters_need_no_table_of_names() -> None:
    """Half a megabyte for five names; any other name is looked up in it."""
    code = """
import sys
from tui.late_imports import made_cheaply
with made_cheaply():
    import html
print(html.unescape("&lt;b&gt; &quot;tea&quot; &amp;amp; milk&nbsp;&#39;s &apos;"), "html.entities" in sys.modules)
print(html.unescape("caf&eacute; &notit; &zzz; &ampx"), "html.entities" in sys.modules)
"""
    assert _run(code).splitlines() == [
        "<b> \"tea\" &amp; milk\xa0's ' False",
        "café ¬it; &zzz; &x True",
    ]


def test_time_zones_come_without_tables_of_how_python_was_built() -> None:
    """They are those of the system; what asks for the tables later gets them."""
    code = """
import sys
from tui.late_imports import import_zoneinfo
zoneinfo = import_zoneinfo()
print(zoneinfo.ZoneInfo("Europe/Berlin"), "sysconfig" in sys.modules)
ours = zoneinfo.TZPATH
import sysconfig
print(sysconfig.get_config_var("prefix") is not None, bool(ours))
"""
    has_zones = Path("/usr/share/zoneinfo").is_dir()
    expected = (
        ["Europe/Berlin False", "True True"] if has_zones else ["Europe/Berlin True", "True True"]
    )
    assert _run(code).splitlines() == expected
