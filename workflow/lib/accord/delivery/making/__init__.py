"""Making a delivery: template, tables of one's own, digests."""
