"""Erasing revoked leaves from a release."""
