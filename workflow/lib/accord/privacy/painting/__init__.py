"""Painting: models, requests, prompts and candidates."""
