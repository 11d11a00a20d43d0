"""Transport below the application: the limits of one connection. Knows no endpoint and no noun."""
