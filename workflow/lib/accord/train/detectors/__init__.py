"""Detectors of generated faces, a small file each: pictures (n, 3, side, side) in -1 to 1 -> logits (n,) of fake."""
