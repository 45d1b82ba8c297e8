"""Verification: pairs, trials, protocols, curves."""
