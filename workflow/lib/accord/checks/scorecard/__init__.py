"""The scorecards of vendors as a page."""
