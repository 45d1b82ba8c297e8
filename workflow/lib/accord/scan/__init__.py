"""Scan: what is left of a person in files, containers, databases and pictures."""
