"""Providers of video calls: API client and OAuth state. Stores nothing."""
