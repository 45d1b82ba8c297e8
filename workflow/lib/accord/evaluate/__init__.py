"""Evaluate: models in, predictions out; no metric is computed here."""
