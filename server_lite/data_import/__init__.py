"""A new organization from an export: our own, Zulip's, Slack's, Mattermost's, or a mailing list. Prints nothing."""
