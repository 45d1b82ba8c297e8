"""Analyse: predictions into scores, groups, disparities and diversity."""
