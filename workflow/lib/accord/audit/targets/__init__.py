"""What can be audited: a file, a row, a figure, an image, a release, everything."""
