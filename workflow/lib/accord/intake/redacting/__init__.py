"""Taking a person out of a delivery."""
