"""One thin function per endpoint, one file per noun: access, action, answer. No SQL."""
