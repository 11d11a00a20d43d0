"""Small screens over the main one: each asks one thing and is dismissed with the answer."""
