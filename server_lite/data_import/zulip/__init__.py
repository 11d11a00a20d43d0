"""Reads the export of a full Zulip server, version 4 or later, as records of the plain form. Reads only."""
