"""Personal data and bystanders: what may have to be painted out, and words that may not be published."""
