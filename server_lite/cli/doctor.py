"""`chinwag-server doctor`: checks everything, and says how to fix problems. Served or not."""

import argparse
from dataclasses import asdict

from server_lite.cli import output
from server_lite.cli.progress import progress
from server_lite.errors import StartError
from server_lite.maintenance.doctor import examine, repair
from server_lite.maintenance.files import require_file


def doctor(options: argparse.Namespace) -> None:
    """Print a line for each finding; raises StartError if one of them is a failure."""
    require_file(options.db)
    if options.repair:
        repair(options.db)
    with progress("Reading") as tell:
        findings = list(examine(options.db, tell))
    if options.json:
        output.show_json([asdict(one) for one in findings])
    else:
        for one in findings:
            output.show(f"{one.level:<4}  {one.check:<10}  {one.says}")
            if one.remedy:
                output.show(f"{'':17} -> {one.remedy}")
    failures = sum(one.level == "fail" for one in findings)
    if failures:
        raise StartError(f"{failures} of {len(findings)} checks failed for {options.db}.")
