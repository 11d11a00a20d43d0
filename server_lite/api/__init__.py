"""Requests and answers as contracts: signatures, keys, limits, the API description. Knows no noun."""
