"""Failures: which scores are the worst, and the pictures that they are of."""
