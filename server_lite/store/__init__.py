"""The file on disk: connection, transactions, one module per table. No permissions, no HTTP."""
