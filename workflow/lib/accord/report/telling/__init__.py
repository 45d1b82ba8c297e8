"""Sentences, names and answers of the report."""
