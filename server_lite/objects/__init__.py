"""Rows as the API's JSON objects, one module per noun; the viewer's permissions decide the fields. Reads only."""
