"""Disclosure control: aggregates, k-anonymity, gatekeepers."""
