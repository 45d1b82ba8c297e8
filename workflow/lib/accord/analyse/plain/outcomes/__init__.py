"""Truths and predictions in place of a score."""
