"""Permutation tests: what chance alone would do."""
