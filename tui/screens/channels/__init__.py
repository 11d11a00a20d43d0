"""One channel: its card, its forms, who is in it, its topics, making one. Asks, and tells the server."""
