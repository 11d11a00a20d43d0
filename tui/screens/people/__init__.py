"""People: the card of a user, and the user's own status. Asks, and tells the server."""
