"""People: the card of one, and what one says about oneself. Asks, and tells the server."""
