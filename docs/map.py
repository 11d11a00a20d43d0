"""Writes docs/map.md: every module of the two packages and the first line of what it says it is for."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEAD = "# Map\n\nEvery module and what it is for. Written by `make map`; a test compares.\n"


def page() -> str:
    """The page as it should be."""
    parts = [HEAD]
    folder = None
    for package in ("tui", "server_lite"):
        for path in sorted((ROOT / package).rglob("*.py"), key=_order):
            words = ast.get_docstring(ast.parse(path.read_text("utf-8")))
            if words is None:
                continue
            here = path.parent.relative_to(ROOT).as_posix()
            first = words.splitlines()[0]
            if here != folder:
                folder = here
                parts.append(f"\n## {here}/\n\n")
            name = "" if path.name == "__init__.py" else f"- `{path.name}`: "
            parts.append(f"{name}{first}\n" + ("\n" if not name else ""))
    return "".join(parts)


def _order(path: Path) -> tuple[str, bool, str]:
    return path.parent.as_posix(), path.name != "__init__.py", path.name


if __name__ == "__main__":
    (ROOT / "docs" / "map.md").write_text(page(), "utf-8")
