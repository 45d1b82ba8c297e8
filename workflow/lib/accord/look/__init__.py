"""A local viewer of failures: the pictures that a model did worst on, for one person on this machine."""
