"""What the flow asks of people, and how far they are."""
