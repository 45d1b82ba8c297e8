"""Report: pages that people read."""
