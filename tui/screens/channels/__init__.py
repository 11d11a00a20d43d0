"""One channel: card, forms, members, topics, creation. Asks the user, and tells the server."""
