"""Commands of chinwag-server: arguments to actions. No HTTP handling here."""
