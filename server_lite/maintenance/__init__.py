"""What can be wrong with a server's file, and what was left beside it. Prints nothing; `cli/doctor.py` does."""
