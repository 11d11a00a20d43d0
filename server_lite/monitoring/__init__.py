"""Metrics of the running server for other programs. Changes nothing."""
