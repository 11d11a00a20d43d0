"""What the person can ask for: each tells the server or the disk, and raises TuiError where that says no."""
