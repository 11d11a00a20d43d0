"""`python -m server_lite`, and the entry point of `chinwag-server`."""

import sys

from server_lite.cli.arguments import run


def main() -> int:
    """The console script; returns the exit code."""
    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
