"""The ledger's file: its records, its chain, its proofs and receipts."""
