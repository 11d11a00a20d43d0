"""Makes top_level_domains.txt from IANA's list. Run by hand; the server never imports it.

    python -m server_lite.markup.data.make_top_level_domains <list> > top_level_domains.txt

The list has a name on each line, and comments that begin with `#`. See README.md beside this file.
"""

import sys
import textwrap
from pathlib import Path


def domains(text: str) -> list[str]:
    """Return the names as people write them: in lower case, international ones in their own script."""
    names = (line.strip().lower() for line in text.splitlines() if not line.startswith("#"))
    return sorted(name.encode("ascii").decode("idna") for name in names if name)


def main() -> None:
    """Read the file named on the command line and write the names to standard output."""
    names = domains(Path(sys.argv[1]).read_text("ascii"))
    sys.stdout.write(textwrap.fill(" ".join(names), 120, break_on_hyphens=False) + "\n")


if __name__ == "__main__":
    main()
