"""Views: whether a picture may be shown now, and the record of those that were."""
