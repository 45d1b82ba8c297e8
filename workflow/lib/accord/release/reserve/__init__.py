"""The reserve: images held back to replace those that are withdrawn."""
