"""Makes emoji.json from two public lists of emoji names. Run by hand; the server never imports it.

    python -m server_lite.markup.data.make_emoji <emoji_names.py> <emoji.json> > emoji.json

The first file comes from the package `zulip-emoji-mapping` (names as people of this ecosystem type
them), the second from `emoji-datasource` (the whole Unicode set). See README.md beside this file.
"""

import ast
import json
import sys
from pathlib import Path
from typing import TypedDict


class Entry(TypedDict):
    """A row of the data source, limited to the fields used here."""

    unified: str
    short_names: list[str]
    category: str


def curated(path: Path) -> dict[str, list[str]]:
    """Return codes and names, canonical first, from the literal in the mapping package."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            rows = ast.literal_eval(node.value)
            return {
                code: [row["canonical_name"], *row["aliases"]]
                for code, row in rows.items()
                if row["canonical_name"]
            }
    raise ValueError(f"no table of names in {path}")


def merged(names: dict[str, list[str]], datasource: list[Entry]) -> dict[str, list[str]]:
    """Return the curated names, with the data source's for all other emoji and unused names."""
    result = {code: list(aliases) for code, aliases in names.items()}
    taken = {name for aliases in names.values() for name in aliases}
    for entry in datasource:
        code = entry["unified"].lower().replace("-fe0f", "")
        if entry["category"] == "Component" or code in result:
            continue
        free = [
            name
            for name in (short.replace("-", "_").lower() for short in entry["short_names"])
            if name not in taken
        ]
        if free:
            result[code] = free
            taken.update(free)
    return dict(sorted(result.items()))


def main() -> None:
    """Read the two files named on the command line and write the JSON to standard output."""
    names, datasource = (Path(argument) for argument in sys.argv[1:3])
    table = merged(curated(names), json.loads(datasource.read_text("utf-8")))
    lines = (f"{json.dumps(code)}: {json.dumps(aliases)}" for code, aliases in table.items())
    sys.stdout.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
