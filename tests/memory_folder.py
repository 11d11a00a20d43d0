"""Puts the temporary folders of tests into memory where that has room: commits need not wait for a disk.

That a commit waits for the disk is tested with disks that lose what was not waited for (`tests/faults/power.py`).
"""

import os
import shutil
import stat
import subprocess
import tempfile
from pathlib import Path
from typing import Final

_MEMORY: Final = Path("/dev/shm")  # only folders that `tempfile` makes
_LEAST_ROOM: Final = 2**30
"""Bytes. Containers often have 64 MiB there."""


def use() -> None:
    """Make it the folder of `tempfile`, also of programs that tests start, unless TMPDIR says where."""
    if "TMPDIR" not in os.environ and _is_usable():
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)


def _is_usable() -> bool:
    """Whether there is room, and programs may be started from there, as some tests do."""
    try:
        if shutil.disk_usage(_MEMORY).free < _LEAST_ROOM:
            return False
        with tempfile.TemporaryDirectory(dir=_MEMORY) as folder:
            program = Path(folder, "program")
            program.write_text("#!/bin/sh\n")
            program.chmod(stat.S_IRWXU)
            return subprocess.run([program], check=False).returncode == 0
    except OSError:
        return False
