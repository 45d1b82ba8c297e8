"""A case: who is erased, where it stands, and its receipt."""
