"""What falls: the closure over lineage, and the leaves of releases."""
