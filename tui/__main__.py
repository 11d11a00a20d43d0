"""The command `chinwag`: see `tui.cli`."""

import gc
import os
import signal
import sys


def main() -> int:
    """Run the console script; return the exit code."""
    is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_usual:  # Ctrl+C while the modules are being imported: no traceback of an import
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    gc.disable()  # what is imported stays; collecting garbage among it takes a tenth of a start
    from tui.late_imports import import_asyncio, made_cheaply

    with made_cheaply():
        import_asyncio()
        from tui.cli.main import main as run

    if is_usual:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return run()


if __name__ == "__main__":
    sys.exit(main())
