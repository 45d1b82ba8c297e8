"""The tables that analyse produces."""
