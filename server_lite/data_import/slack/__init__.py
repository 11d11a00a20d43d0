"""Reads the export of a Slack workspace (.zip) as records of the plain form. Reads only; fetches nothing."""
