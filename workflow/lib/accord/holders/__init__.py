"""Holders: who downloaded which release, what they are told when something is revoked, and what they answer."""
