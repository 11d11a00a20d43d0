"""Writes docs/keys.md: every action with its keys, of the client's own tables."""

from pathlib import Path

from tui import keys

TABLES = (
    ("Everywhere", keys.APPLICATION),
    ("Main screen", keys.CONVERSATION),
    ("Selected message", keys.MESSAGE),
    ("Lists", keys.LISTS),
    ("Sidebar", keys.SIDEBAR),
    ("Inbox and recent conversations", keys.OVERVIEW),
    ("Composer", keys.COMPOSER),
    ("Editing text", keys.EDITING),
)
HEAD = """# Keys

Every action with its standard keys. Written by `make map`; a test compares. Press `F1` in the client for the keys of your terminal and
preset, and `Alt+K` to change them. The names are those of `[keys]` in [config.toml](guide/client.md#settings). Where a terminal does not send
Alt with a letter, press `Ctrl+G` and the letter.
"""


def page() -> str:
    """The page as it should be."""
    parts = [HEAD]
    keyboard = keys.Keyboard()
    for title, table in TABLES:
        parts.append(f"\n## {title}\n\n| keys | action | name |\n|---|---|---|\n")
        for action in table:
            ways = [] if action.keys == keys.NO_KEY else action.keys.split(",")
            named = " ".join(f"`{keyboard.name(way)}`" for way in ways if way != keys.NO_KEY)
            about = action.help.replace("|", "\\|")
            parts.append(f"| {named} | {about} | `{action.id}` |\n")
    return "".join(parts)


if __name__ == "__main__":
    Path(__file__).with_name("keys.md").write_text(page(), "utf-8")
