"""The client over SSH: a front process, a warm parent, a process per session. Knows no server code."""
