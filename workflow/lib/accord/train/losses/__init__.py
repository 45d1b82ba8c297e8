"""Losses and optimisers of detectors, each tested against a reference of its mathematics."""
