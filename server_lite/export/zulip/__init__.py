"""Exports an organization in the layout that a full Zulip server imports. Prints nothing."""
