"""Pages, blocks and charts."""
