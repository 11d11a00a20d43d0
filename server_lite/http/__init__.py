"""The wire below the application: what one connection may cost. Knows no endpoint and no noun."""
