"""Whole screens: they know the store and the commands, and give widgets their rows."""
