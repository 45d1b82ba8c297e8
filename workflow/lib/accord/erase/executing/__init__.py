"""What is done: deletion, rebuilding, and the scan after it."""
