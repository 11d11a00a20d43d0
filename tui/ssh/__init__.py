"""The client over SSH: a front process, a warm parent, and a process for each session. Knows no server code."""
