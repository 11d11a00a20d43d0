"""Dialogs: each asks one question and is dismissed with the answer."""
