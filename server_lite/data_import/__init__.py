"""Imports an organization from an export: ours, Zulip's, Slack's, Mattermost's, a mailing list. No output."""
