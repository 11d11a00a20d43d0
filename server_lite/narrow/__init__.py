"""Narrows: what a client asks to see, from terms to SQL and a window of ids. Reads only.

`terms` reads both encodings, `operators` and `states` say what each operator means, `query` puts the terms
together and chooses where SQLite begins, `search` is the language of full-text search.
"""
