"""What the ledger says, as text; the flags of its command."""
