"""An organization as JSON lines, out of one file and into another. Prints nothing; `cli/transfers.py` does."""
