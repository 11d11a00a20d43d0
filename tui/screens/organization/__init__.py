"""Running the organization: its people, groups, bots, channels and settings. Only what one may do is offered."""
