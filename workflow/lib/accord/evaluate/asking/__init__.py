"""What a model is shown, and how its answers are taken."""
