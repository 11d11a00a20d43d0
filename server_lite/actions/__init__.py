"""The only writers and the only emitters of events; the transaction comes first, then rows, not ids."""
