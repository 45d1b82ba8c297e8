"""Proof that pictures carry no metadata and nothing of what was painted over."""
