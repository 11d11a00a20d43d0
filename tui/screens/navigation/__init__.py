"""Places of the chat: what is done with one, and the ways from one to another."""
