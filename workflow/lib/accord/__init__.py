"""Accord: consented photographs of people, from a delivery to a release, an evaluation and an audit."""
