"""Email as messages: read whatever its bytes are, without what its program quoted. No I/O, no SQL."""
