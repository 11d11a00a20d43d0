"""A new organization of what somebody brings: an export of ours, or of a full Zulip server. Prints nothing."""
