"""What is scored, and what counts as an error."""
