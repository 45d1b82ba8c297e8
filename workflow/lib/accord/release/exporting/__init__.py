"""Releases in the formats of other tools: written, written down, and pruned."""
