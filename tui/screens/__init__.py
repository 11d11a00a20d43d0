"""Whole screens: they know the store and the commands, and give the widgets their rows."""
