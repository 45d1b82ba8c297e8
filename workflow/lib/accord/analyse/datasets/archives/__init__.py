"""Adapters: annotation files of public datasets, each with one function `read`."""
