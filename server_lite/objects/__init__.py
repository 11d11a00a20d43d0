"""Rows as the API's JSON objects, one file per noun; the viewer's rights decide the fields. Reads only."""
