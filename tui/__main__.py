"""The command `chinwag`: see `tui.cli`."""

import sys

from tui.cli.arguments import main

if __name__ == "__main__":
    sys.exit(main())
