"""Adapters: each makes one kind of model speak a protocol of accord.evaluate.protocols."""
