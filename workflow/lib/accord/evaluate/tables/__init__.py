"""The tables that evaluate produces."""
