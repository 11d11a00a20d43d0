"""The commands of `chinwag-server`: arguments in, one sentence or JSON out. Knows the API's wire nowhere."""
