"""The only code that writes rows and emits events. Functions take the transaction first, then rows."""
