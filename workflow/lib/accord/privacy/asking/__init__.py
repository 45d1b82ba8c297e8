"""Asking people about painted regions, and what follows from their answers."""
