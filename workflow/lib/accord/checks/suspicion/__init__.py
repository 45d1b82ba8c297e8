"""Suspicious patterns among subjects, devices and vendors."""
