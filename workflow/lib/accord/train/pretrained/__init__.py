"""Weights that detectors begin with: read from checkpoints of plain tensors, and fitted to the networks they are of."""
