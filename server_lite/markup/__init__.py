"""Renders Markdown to HTML, one rule per module. No I/O beyond its own data file, no clock, no database.

Names (people, groups, channels, emoji, linkifiers) are resolved by a `lookup.Lookup`.
Start at `render.py`; the order of the rules is the list in `rules/__init__.py`.
"""
