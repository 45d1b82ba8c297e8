"""Known abuse material: lists of hashes, quarantine, and the command of the officer."""
