"""Tests of the routes: one table of requests and answers per area. No sockets."""
