"""Rank tests, for all pairs of groups at once."""
