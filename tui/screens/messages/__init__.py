"""One message: its actions, its card, links, pictures."""
