"""Audit: lineage and integrity of any output."""
