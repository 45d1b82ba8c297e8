"""The training loop: reproducible, and resumed after any kill to the same bytes."""
