"""The commands of `chinwag-server`: arguments in, one sentence or JSON out. Knows nothing of HTTP."""
