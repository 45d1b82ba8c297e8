"""Models: their registry, weights and adapters; detectors that ship with packages."""
