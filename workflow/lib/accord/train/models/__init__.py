"""Trained models: their files, and the record of what they learnt from."""
