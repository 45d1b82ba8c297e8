"""What models and measurements say of the people whom pictures show."""
