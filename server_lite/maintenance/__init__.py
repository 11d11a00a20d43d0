"""Manages database files: create, back up, restore, check, clean up. Prints nothing."""
