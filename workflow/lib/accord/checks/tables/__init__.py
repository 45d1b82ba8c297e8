"""The tables that checks produces."""
