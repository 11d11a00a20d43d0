"""`python -m server_lite`, and the entry point of `chinwag-server`."""

import os
import signal
import sys


def main() -> int:
    """Run the console script; returns the exit code."""
    if sys.platform == "win32":  # before importing modules that Windows lacks
        sys.exit("chinwag-server runs on Linux and macOS. On Windows, run it in WSL.")
    is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_usual:  # Ctrl+C during the imports: exit without a traceback
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    from server_lite.cli.arguments import run

    if is_usual:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
