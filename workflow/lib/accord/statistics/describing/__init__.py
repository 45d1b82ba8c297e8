"""Rates, agreement, diversity and clusters."""
