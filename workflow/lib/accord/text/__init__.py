"""Text: counts with their nouns, days, references, cells, and what untrusted text may hold."""
