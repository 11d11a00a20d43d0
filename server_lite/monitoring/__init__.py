"""Figures about the running server for other programs. Changes nothing."""
