"""The example organization of `chinwag-server demo`: its contents, and how it is created."""
