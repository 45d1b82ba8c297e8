"""Unpacked FHIBE archives that are imported."""
