"""Painting: models, requests, candidates, seams and textures."""
