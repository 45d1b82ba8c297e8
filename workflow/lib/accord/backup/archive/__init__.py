"""Backups as ciphertext: what they keep, their keys, making and restoring."""
