"""Statistics: pure functions over arrays and tables of scores."""
