"""A benchmark of detectors of made faces on one table: how well they tell, and how alike they serve groups."""
