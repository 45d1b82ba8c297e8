"""Logos: by name, by shape, by open-vocabulary detectors and by an outside service."""
