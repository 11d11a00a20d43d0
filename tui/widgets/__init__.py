"""One widget per file: rows in, messages out. No store, no network."""
