"""Graphs that are described without code: their inputs, outputs and keypoints."""
