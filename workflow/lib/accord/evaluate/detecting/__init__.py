"""Detectors of generated faces: how pictures are degraded for them, and how they are asked."""
