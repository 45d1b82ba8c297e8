"""Model cards of trained detectors."""
