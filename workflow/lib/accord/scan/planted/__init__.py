"""Leaks that are planted on purpose, to measure what the scan finds."""
