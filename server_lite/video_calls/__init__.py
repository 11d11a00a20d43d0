"""Providers of video calls: asking them, and the note that goes along. Stores nothing."""
