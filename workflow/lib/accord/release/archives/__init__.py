"""Public datasets, unpacked on the disk, that a run is made on instead of deliveries."""
