"""An organization in the layout that the import of a full Zulip server reads. Prints nothing."""
