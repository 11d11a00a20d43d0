"""Rows as the API's JSON objects, one module per noun; fields depend on the viewer's rights. Reads only."""
