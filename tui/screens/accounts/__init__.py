"""Several accounts side by side: signing in and switching. Knows no messages."""
