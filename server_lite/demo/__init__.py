"""The example organization of `chinwag-server demo`: what is said in it, and how it comes about."""
