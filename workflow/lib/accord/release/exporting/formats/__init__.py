"""One module per format: how samples are written, and how those of revoked images are taken out."""
