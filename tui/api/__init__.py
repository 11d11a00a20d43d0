"""The API's client: types, decoding, the connection, and one function per endpoint."""
