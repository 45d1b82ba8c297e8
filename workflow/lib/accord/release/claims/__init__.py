"""C2PA claims in pictures that were painted over."""
