"""Commands inside the test's process, as in the tests of those that need no server."""

from tests.unit.server_lite.cli.conftest import command as command
from tests.unit.server_lite.cli.conftest import team as team
