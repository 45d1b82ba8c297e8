"""Fitting what was painted into its picture: detail, seams, outlines, textures, tiles."""
