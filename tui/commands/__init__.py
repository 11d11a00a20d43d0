"""Commands of the user: each tells the server or the disk, and raises TuiError where that refuses."""
