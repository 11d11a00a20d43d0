"""Fixtures for commands that run in the test's process, as in the tests of those without a server."""

from tests.unit.server_lite.cli.conftest import command as command
from tests.unit.server_lite.cli.conftest import team as team
