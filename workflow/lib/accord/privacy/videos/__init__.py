"""Videos: whom to paint out, the painted file, and its proof."""
