"""Rows ready to draw: pure functions of the store. No Textual, no I/O, no clock but the one given."""
