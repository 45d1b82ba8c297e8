"""Sealing: hashes, signatures and append-only chains."""
