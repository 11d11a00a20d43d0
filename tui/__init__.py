"""Chinwag's terminal client: topic-threaded team chat. Shares nothing with the server but the API."""

from typing import Final

VERSION: Final = "0.1.0"
