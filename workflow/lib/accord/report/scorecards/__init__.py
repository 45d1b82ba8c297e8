"""The scorecards of vendors, as sections of a page."""
