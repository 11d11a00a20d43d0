"""Administration pages: people, groups, bots, channels, settings. Offers only what the user may do."""
