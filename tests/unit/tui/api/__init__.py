"""Tests of the wire: what JSON means, and what is sent. No sockets."""
