"""Sections of the page of foundation models: what was asked, and what was said of whom."""
