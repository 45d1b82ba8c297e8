"""Who holds which release."""
