"""Requests and answers as contracts: signatures, keys, limits, the description. Knows no noun."""
