"""The command line: parses arguments, then runs the app or a command."""
