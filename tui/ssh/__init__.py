"""The client over SSH: a front process, a warm parent, a process a session. Knows no server code."""
