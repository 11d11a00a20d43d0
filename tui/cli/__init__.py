"""The command line: arguments to settings, then the app or a command."""
