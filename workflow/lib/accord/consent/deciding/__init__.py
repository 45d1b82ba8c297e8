"""From the ledger's events to what may pass."""
