"""Checks: what is wrong with an image, said in tables of findings."""
