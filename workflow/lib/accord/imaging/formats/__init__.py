"""What untrusted picture files are made of, bounded before anything decodes them."""
