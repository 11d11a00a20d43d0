"""A hook of mkdocs.yml: the pages of the top folder are pages of the site, too, with their links adapted."""

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FROM_TOP = ("CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages of the top folder to those of docs/, with names in lower case."""
    from mkdocs.structure.files import File  # only `make site` has it

    for name in FROM_TOP:
        text = (ROOT / name).read_text("utf-8").replace("](docs/", "](")
        text = re.sub(r"\]\(([A-Z_]+\.md)\)", lambda link: f"]({link[1].lower()})", text)
        files.append(File.generated(config, name.lower(), content=text))
    return files
