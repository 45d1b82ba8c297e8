"""What is trained, on which pictures, and with which settings: read from the configuration."""
