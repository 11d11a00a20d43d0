"""Markdown to HTML, one rule a file. No I/O beyond its own data file, no clock, no database.

What names mean (people, groups, channels, emoji, linkifiers) is asked of a `lookup.Lookup`.
Start at `render.py`; the order of the rules is the list in `rules/__init__.py`.
"""
