"""Judging a delivery as intake and consent would."""
