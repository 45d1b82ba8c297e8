"""What low scores go with."""
