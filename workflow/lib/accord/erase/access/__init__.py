"""What is held about a person, as she may ask for it."""
