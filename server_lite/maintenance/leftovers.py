"""Deletes leftovers of killed commands beside the file they were creating. Leaves those of running ones."""

import re
from pathlib import Path

from server_lite.store import backups
from server_lite.store.instance_lock import is_alive


def discard_abandoned(target: Path) -> None:
    """Delete what a killed command left while creating this file, or this folder of an export.

    The leftovers are whole or partial organizations that would stay unnoticed.
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
            from shutil import rmtree  # rarely: it brings compressors

            rmtree(left, ignore_errors=True)
        else:
            backups.discard(left)
