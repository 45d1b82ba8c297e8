"""What may be said of images in public."""
