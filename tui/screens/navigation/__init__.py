"""Navigation between conversations and views, and the actions on them."""
