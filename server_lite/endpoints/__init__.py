"""One thin function per endpoint, one module per noun: check access, call the action, answer. No SQL."""
