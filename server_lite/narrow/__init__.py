"""Narrows: the messages that a client requests, from terms to SQL and a window of IDs. Reads only.

`terms` parses both encodings, `operators` and `is_has_operators` define each operator, `query` combines terms
and chooses where SQLite starts, `search` is the language of full-text search.
"""
