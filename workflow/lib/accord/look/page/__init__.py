"""The page of the viewer: its routes, and what it shows."""
