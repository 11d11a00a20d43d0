"""The wire: types, decoding, the connection, and one function per endpoint."""
