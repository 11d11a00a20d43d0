"""Email as messages: parsed from any bytes, without quoted replies. No I/O, no SQL."""
