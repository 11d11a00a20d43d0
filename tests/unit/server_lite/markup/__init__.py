"""Tests of the Markdown renderer. No database: names are answered by `organization.py`."""
