"""What holders are told, and what they answer."""
