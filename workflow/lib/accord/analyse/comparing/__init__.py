"""Evidence for differences between groups, intersections and versions."""
