"""The whole comparison of groups for a plain table of one's own."""
