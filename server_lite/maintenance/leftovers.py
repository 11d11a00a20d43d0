"""What commands that were killed left beside the file they were to make. Removes nothing of a living one."""

import re
import shutil
from pathlib import Path

from server_lite.store import backups
from server_lite.store.instance_lock import is_alive


def discard_abandoned(target: Path) -> None:
    """Remove what a killed command left that was to make this file, or this folder of an export.

    They are whole organizations, or half of one: nobody would look for them.
    """
    begun = r"\.(?:part-|restored-|new-|key\.)([0-9]+)(?:\.checked)?(?:-wal|-shm|-journal)?"
    name = re.compile(r"\.?" + re.escape(target.name) + begun)
    if not target.parent.is_dir():
        return
    for left in list(target.parent.iterdir()):
        match = name.fullmatch(left.name)
        if match is None or is_alive(int(match[1])):
            continue
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left, ignore_errors=True)
        else:
            backups.discard(left)
