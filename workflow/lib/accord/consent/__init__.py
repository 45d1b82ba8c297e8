"""Consent: the ledger says who and what may pass."""
