"""What a single file and its pixels tell."""
