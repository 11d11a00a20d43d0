"""The database: connection, transactions, one module per table. No permissions, no HTTP."""
